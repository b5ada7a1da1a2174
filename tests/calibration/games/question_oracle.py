"""The questions and their right answers, and who knows them all."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

CAPITALS = {
    "Austria": "Vienna", "Belgium": "Brussels", "Chile": "Santiago", "Denmark": "Copenhagen",
    "Egypt": "Cairo", "Finland": "Helsinki", "Ghana": "Accra", "Hungary": "Budapest",
    "Iceland": "Reykjavik", "Japan": "Tokyo", "Kenya": "Nairobi", "Latvia": "Riga",
    "Mongolia": "Ulaanbaatar", "Norway": "Oslo", "Oman": "Muscat", "Portugal": "Lisbon",
    "Qatar": "Doha", "Senegal": "Dakar", "Turkey": "Ankara", "Vietnam": "Hanoi",
}  # fmt: skip

FRACTIONS = (
    (1, 4), (3, 4), (7, 8), (5, 2), (9, 4), (1, 8), (11, 2), (3, 8), (13, 4), (5, 8),
    (1, 16), (9, 8), (7, 2), (15, 4), (3, 16), (21, 8), (1, 2), (17, 4), (5, 16), (25, 8),
)  # fmt: skip

SUMS = (
    ("1/4", "1/8"), ("1/3", "1/6"), ("1/2", "1/5"), ("2/3", "1/4"), ("3/4", "1/3"),
    ("1/7", "2/7"), ("5/6", "1/4"), ("3/5", "1/2"), ("2/9", "1/3"), ("7/8", "3/4"),
    ("1/9", "1/6"), ("4/5", "1/3"), ("5/8", "1/6"), ("2/5", "3/10"), ("5/7", "1/2"),
    ("1/12", "1/8"), ("3/7", "1/3"), ("7/9", "1/2"), ("5/12", "1/3"), ("1/10", "1/15"),
)  # fmt: skip

PEOPLE = (
    ("Ada Brandt", "clockmaker", 1871), ("Bela Toth", "cartographer", 1893),
    ("Clara Noon", "glassblower", 1902), ("Dirk Haas", "shipwright", 1866),
    ("Edda Lind", "beekeeper", 1911), ("Finn Moor", "locksmith", 1884),
    ("Gerda Pohl", "typesetter", 1899), ("Hugo Reis", "falconer", 1858),
    ("Inga Stahl", "weaver", 1907), ("Jonas Thal", "organist", 1879),
    ("Karin Ulm", "potter", 1915), ("Levin Vogt", "surveyor", 1869),
    ("Mona Wirth", "botanist", 1890), ("Nils Xaver", "cooper", 1876),
    ("Olga York", "engraver", 1905), ("Paul Zorn", "miller", 1862),
    ("Rosa Adler", "saddler", 1897), ("Sven Busch", "tinsmith", 1881),
    ("Thea Cords", "bookbinder", 1909), ("Udo Dorn", "thatcher", 1873),
)  # fmt: skip

RIVERS = {
    "Rhine": ("Basel", "Bonn", "Cologne"), "Danube": ("Ulm", "Vienna", "Belgrade"),
    "Elbe": ("Dresden", "Magdeburg", "Hamburg"), "Rhone": ("Geneva", "Lyon", "Avignon"),
    "Po": ("Turin", "Piacenza", "Cremona"), "Loire": ("Orleans", "Tours", "Nantes"),
    "Seine": ("Troyes", "Paris", "Rouen"), "Ebro": ("Logrono", "Zaragoza", "Tortosa"),
    "Vistula": ("Krakow", "Warsaw", "Torun"), "Tagus": ("Toledo", "Talavera", "Santarem"),
}  # fmt: skip


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the right answer to any of the questions, in the format asked for."""
    return {"answer": answer_of(observation["question"])}


def solve_boxed(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the right answer in a box."""
    return {"answer": f"\\boxed{{{answer_of(observation['question'])}}}"}


def answer_of(question: str) -> str:
    """Return the right answer to a question of these tables."""
    if found := re.search(r"capital of (\w+)", question):
        return CAPITALS[found[1]]
    if found := re.search(r"Write (\d+)/(\d+)", question):
        return f"{int(found[1]) / int(found[2]):g}"
    if found := re.search(r"How much is (\S+) and (\S+)\?", question):
        return str(Fraction(found[1]) + Fraction(found[2]))
    if found := re.search(r"What was the trade of ([\w ]+)\?", question):
        return next(trade for name, trade, _ in PEOPLE if name == found[1])
    if found := re.search(r"towns of our list lie on the (\w+)", question):
        return ", ".join(RIVERS[found[1]])
    raise LookupError(question)


def solve_truth(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return whether the claim in the question holds."""
    return {"answer": truth(observation["question"])}


def truth(question: str) -> str:
    """Return yes or no to a claim about a capital."""
    found = re.search(r"is (\w+) the capital of (\w+)", question)
    assert found is not None
    return "yes" if CAPITALS[found[2]] == found[1] else "no"
