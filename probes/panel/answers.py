"""Answers that belong to closed classes: what a question of a kind can be answered with at all."""

import string

CAPITALS = (
    "Paris London Berlin Madrid Rome Lisbon Vienna Brussels Amsterdam Copenhagen Oslo Stockholm "
    "Helsinki Reykjavik Dublin Bern Warsaw Prague Bratislava Budapest Ljubljana Zagreb Belgrade "
    "Sarajevo Skopje Tirana Podgorica Pristina Sofia Bucharest Chisinau Athens Ankara Nicosia "
    "Valletta Tallinn Riga Vilnius Minsk Kyiv Moscow Tbilisi Yerevan Baku Astana Tashkent Ashgabat "
    "Bishkek Dushanbe Kabul Tehran Baghdad Damascus Beirut Amman Jerusalem Cairo Riyadh Sanaa "
    "Muscat Doha Manama Islamabad Delhi Kathmandu Thimphu Dhaka Colombo Naypyidaw Bangkok "
    "Vientiane Hanoi Jakarta Manila Singapore Dili Beijing Ulaanbaatar Pyongyang Seoul Tokyo "
    "Taipei Canberra Wellington Suva Honiara Apia Nukualofa Rabat Algiers Tunis Tripoli Khartoum "
    "Juba Asmara Djibouti Mogadishu Nairobi Kampala Kigali Gitega Dodoma Lusaka Lilongwe Harare "
    "Maputo Antananarivo Moroni Pretoria Maseru Mbabane Gaborone Windhoek Luanda Kinshasa "
    "Brazzaville Libreville Malabo Yaounde Bangui Ndjamena Niamey Abuja Lome Accra Ouagadougou "
    "Bamako Nouakchott Dakar Banjul Bissau Conakry Freetown Monrovia Yamoussoukro Praia Ottawa "
    "Washington Havana Kingston Nassau Belmopan Managua Tegucigalpa Caracas Bogota Quito Lima "
    "Sucre Asuncion Santiago Montevideo Brasilia Georgetown Paramaribo"
)
COUNTRIES = (
    "France Germany Spain Italy Portugal Austria Belgium Netherlands Denmark Norway Sweden Finland "
    "Iceland Ireland Switzerland Poland Czechia Slovakia Hungary Slovenia Croatia Serbia Greece "
    "Bulgaria Romania Turkey Ukraine Russia Georgia Armenia Kazakhstan Iran Iraq Syria Lebanon "
    "Israel Egypt Morocco Algeria Tunisia Libya Sudan Ethiopia Kenya Tanzania Uganda Rwanda "
    "Nigeria Ghana Senegal Mali Angola Mozambique Zambia Zimbabwe India Pakistan Bangladesh Nepal "
    "Thailand Vietnam Indonesia Malaysia Philippines China Mongolia Japan Korea Australia Canada "
    "Mexico Cuba Brazil Argentina Chile Peru Colombia Ecuador Bolivia Paraguay Uruguay Venezuela "
    "England Qatar Oman Latvia Estonia Lithuania Madagascar Jordan Kuwait Yemen"
)
MONTHS = "January February March April May June July August September October November December"
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
COLOURS = (
    "red green blue yellow orange purple pink brown black white grey gray violet cyan magenta gold "
    "silver"
)
PLANETS = "Mercury Venus Earth Mars Jupiter Saturn Uranus Neptune Pluto Sun Moon"
ELEMENTS = (
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Fe Cu Zn Ag Sn I Au Hg Pb U hydrogen "
    "helium lithium carbon nitrogen oxygen fluorine neon sodium magnesium aluminium silicon "
    "phosphorus sulfur chlorine argon potassium calcium iron copper zinc silver tin iodine gold "
    "mercury lead uranium"
)
VERDICTS = (
    "yes no true false correct incorrect valid invalid positive negative neutral entailment "
    "contradiction safe unsafe spam ham none all unknown"
)
LETTERS = tuple(string.ascii_uppercase[:10])
NUMBERS = tuple(str(number) for number in range(101))

OF_KIND: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("capital", "capitals"), tuple(CAPITALS.split())),
    (("country", "countries", "nation"), tuple(COUNTRIES.split())),
    (("month", "months"), tuple(MONTHS.split())),
    (("day", "weekday"), tuple(DAYS.split())),
    (("colour", "color", "colours", "colors"), tuple(COLOURS.split())),
    (("planet", "planets"), tuple(PLANETS.split())),
    (("element", "elements", "symbol"), tuple(ELEMENTS.split())),
    (("number", "many", "much", "digit", "integer", "sum", "count", "calculate"), NUMBERS),
)
"""Words of a question, and all answers of the kind it then asks for."""
OF_ANY = (*VERDICTS.split(), *LETTERS)
"""What is listed whatever the question is."""


def of_kind(words: frozenset[str]) -> tuple[str, ...]:
    """Return all answers of the kinds that a question with these words in lower case may ask for.

    Example:
        >>> of_kind(frozenset({"which", "planet"}))[:4]
        ('Mercury', 'Venus', 'Earth', 'Mars')
    """
    named = (answers for signs, answers in OF_KIND if words & frozenset(signs))
    return (*(answer for answers in named for answer in answers), *OF_ANY)
