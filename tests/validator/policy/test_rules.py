"""Policies that contradict themselves are refused in one line; thresholds decide three ways."""

from datetime import date
from pathlib import Path
from typing import get_args

import pytest

from reports.model import Measure, Merged
from tests.reports.builders import check, share, undefined, worth_training
from validator.errors import SettingsError
from validator.policy.baseline_line import compared
from validator.policy.judge import judge
from validator.policy.model import Policy, read_policy, shipped_policies
from validator.policy.numbers import NAMES
from validator.policy.rules import Comparable, Declarations, Rules, Threshold, Waiver
from validator.policy.verdict import reach_verdict

TODAY = date(2026, 3, 1)
HEAD = 'name = "p"\nversion = "1"\n[severities]\n"session.capacity" = "warn"\n'
WAIVER = '[[waivers]]\ncheck = "{check}"\nreason = "{reason}"\nowner = "o"\nexpires = {day}'


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[external]\n"session.capacity" = "fail"', "stands both under severities and under"),
        ('[[thresholds]]\nmetric = "headline/signal"', "name at_least or at_most"),
        (
            '[[thresholds]]\nmetric = "headline/signal"\nat_least = 0.3\nat_most = 0.2',
            "at_least 0.3 contradicts at_most 0.2",
        ),
        (
            '[[thresholds]]\nmetric = "headline/signal"\nat_least = 0.3\n'
            '[[thresholds]]\nmetric = "headline/signal"\nat_most = 0.2',
            "thresholds contradict: headline/signal >= 0.3, and headline/signal <= 0.2",
        ),
        ('[[thresholds]]\nmetric = "runtime.startup/x"\nat_most = 1', "does not ask"),
        ('[[thresholds]]\nmetric = "headlines/x"\nat_most = 1', "begin with headline"),
        ('[[thresholds]]\nmetric = "headline/sgnal"\nat_most = 1', "did you mean 'signal'?"),
        ('[[thresholds]]\nmetric = "times/step"\nat_most = 1', "no report has such a number"),
        ('[[thresholds]]\nmetric = "ledger/error"\nat_most = 1', "did you mean 'error_share'?"),
        ('[[thresholds]]\nmetric = "ledger/lost_share"\nat_most = 1', "no report has"),
        ('[[thresholds]]\nmetric = "probe:noop/score"\nat_most = 1', "'mean_score'"),
        ('[[thresholds]]\nmetric = "probe:/mean_score"\nat_most = 1', "begin with headline"),
        (
            '[[thresholds]]\nmetric = "headline/signal"\nat_least = 1.01',
            "headline/signal >= 1.01: nothing can meet it, that number lies between 0 and 1",
        ),
        ('[[thresholds]]\nmetric = "ledger/error_share"\nat_most = -0.1', "nothing can meet it"),
        ('[[thresholds]]\nmetric = "times/step_p50"\nat_most = -1', "lies above 0"),
        (
            '[[waivers]]\ncheck = "runtime.startup"\nreason = "r"\nowner = "o"\n'
            "expires = 2030-01-01",
            "a waiver names runtime.startup, which this policy does not ask",
        ),
        (
            '[[waivers]]\ncheck = "session.capacity"\nreason = "r"\nowner = "o"\n'
            "expires = 2026-02-28",
            "the waiver of session.capacity by o expired on 2026-02-28",
        ),
        ('[[waivers]]\ncheck = "session.capacity"\nreason = "r"\nowner = "o"', "expires"),
        ('[declarations]\nrequired = ["envassay.score_rage"]', "no field 'envassay.score_rage'"),
        ('[rules]\nundecidd = "fail"', "unknown key (did you mean 'undecided'?)"),
        (
            '[[thresholds]]\nmetric = "headline/floor"\nbound = "low"\nat_least = 0.8\n'
            '[[thresholds]]\nmetric = "headline/floor"\nbound = "high"\nat_most = 0.2',
            "thresholds contradict: lower bound of headline/floor >= 0.8, and upper bound of",
        ),
        (
            '[[thresholds]]\nmetric = "headline/floor"\nat_most = 0.2\n'
            '[[thresholds]]\nmetric = "headline/floor"\nbound = "low"\nat_least = 0.8',
            "thresholds contradict: lower bound of headline/floor >= 0.8, and headline/floor <=",
        ),
        ('[[thresholds]]\nmetric = "headline/floor"\nat_most = 0.2\n' * 2, "0.2 is asked twice"),
        ('[[thresholds]]\nmetric = "headline/floor"\nat_most = "0.2"', "at_most: input should be"),
        ('[[thresholds]]\nmetric = "headline/floor"\nat_most = true', "at_most: input should be"),
        ('[[thresholds]]\nmetric = "headline/floor"\nat_most = nan', "a finite number"),
        (f'[[thresholds]]\nmetric = "headline/floor"\nat_most = {"9" * 5000}', "too many digits"),
        ('[[thresholds]]\nmetric = "floor"\nat_most = 1', "no number's name"),
        ('[thresholds]\nmetric = "headline/floor"', "each begun with [[thresholds]]"),
        ('[declarations]\nrequired = ["score_range"]', "write one such as envassay.score_range"),
        (
            '[declarations]\nrequired = ["envassay.noop", "envassay.noop"]',
            "envassay.noop is required twice",
        ),
        ('[external]\nruntime.startup = "fail"', 'write one in quotes, as "runtime.seed_control"'),
        (WAIVER.format(check="*", reason="r", day="2030-01-01"), "neither a check's id nor one of"),
        (
            WAIVER.format(check="session.capacitee", reason="r", day="2030-01-01"),
            "does not ask (did you mean 'session.capacity'?)",
        ),
        (WAIVER.format(check="latency", reason="  ", day="2030-01-01"), "not blank"),
        (WAIVER.format(check="latency", reason="r" * 301, day="2030-01-01"), "at most 300"),
        (WAIVER.format(check="latency", reason="r", day="2030-01-01T00:00:00Z"), "without a time"),
        (WAIVER.format(check="latency", reason="r", day="2030-01-01 10:00:00"), "without a time"),
        (WAIVER.format(check="latency", reason="r", day="1893456000"), "without a time"),
        (WAIVER.format(check="latency", reason="r", day="10:00:00"), "without a time"),
        (WAIVER.format(check="latency", reason="r", day='"20300101"'), "without a time"),
    ],
)
def test_a_policy_that_cannot_hold_is_refused(tmp_path: Path, more: str, said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_policy(written(tmp_path, f"{HEAD}{more}\n"), today=TODAY)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 3


def test_thresholds_may_name_what_reports_hold() -> None:
    report = worth_training()
    for place, names in (("headline", report.headline), ("times", report.times.measures)):
        assert set(names) <= set(NAMES[place])


@pytest.mark.parametrize("name", get_args(Comparable))
def test_each_line_of_a_comparison_can_be_waived(tmp_path: Path, name: str) -> None:
    text = f'{HEAD}[[waivers]]\ncheck = "{name}"\nreason = "r"\nowner = "o"\nexpires = 2030-01-01\n'
    policy = read_policy(written(tmp_path, text), today=TODAY)
    line = compared(name, "fail", "fail", "worse")
    assert reach_verdict([], policy, [line]).status == "pass"


def test_a_large_policy_is_refused_or_read_at_once(tmp_path: Path) -> None:
    one = '[[thresholds]]\nmetric = "headline/signal"\nat_least = 0.{}\n'
    many = [one.format(10_000 + number) for number in range(2000)]
    assert len(read_policy(written(tmp_path, HEAD + "".join(many[:1000]))).thresholds) == 1000
    with pytest.raises(SettingsError, match="is larger than 64 KiB"):
        read_policy(written(tmp_path, HEAD + "".join(many)))


def test_a_policy_that_asks_nothing_decides_nothing(tmp_path: Path) -> None:
    text = 'name = "p"\nversion = "1"\n[severities]\n'
    with pytest.raises(SettingsError, match="asks nothing, so that nothing could fail"):
        read_policy(written(tmp_path, text))
    assert read_policy(written(tmp_path, f'{text}"session.capacity" = "advisory"\n')).severities


def test_a_day_in_quotes_is_the_same_day(tmp_path: Path) -> None:
    for day in ("2030-01-01", '"2030-01-01"'):
        waiver = WAIVER.format(check="latency", reason="r", day=day)
        policy = read_policy(written(tmp_path, HEAD + waiver), today=TODAY)
        assert policy.waivers[0].expires == date(2030, 1, 1)


def test_ends_that_a_wide_interval_meets_together_do_not_contradict(tmp_path: Path) -> None:
    text = (
        '[[thresholds]]\nmetric = "headline/floor"\nbound = "high"\nat_least = 0.8\n'
        '[[thresholds]]\nmetric = "headline/floor"\nbound = "low"\nat_most = 0.2\n'
    )
    assert len(read_policy(written(tmp_path, HEAD + text)).thresholds) == 2


def test_a_waiver_holds_on_its_last_day(tmp_path: Path) -> None:
    text = (
        f'{HEAD}[[waivers]]\ncheck = "session.capacity"\nreason = "r"\nowner = "o"\n'
        "expires = 2026-03-01\n"
    )
    assert read_policy(written(tmp_path, text), today=TODAY).waivers[0].expires == TODAY
    with pytest.raises(SettingsError):
        read_policy(written(tmp_path, text), today=date(2026, 3, 2))


def test_what_extends_overrides_and_keeps_the_rest(tmp_path: Path) -> None:
    text = (
        'name = "mine"\nversion = "1"\nextends = "hub"\n'
        '[severities]\n"session.capacity" = "advisory"\n"static.sbom" = "fail"\n'
    )
    mine, hub = read_policy(written(tmp_path, text)), read_policy("hub")
    assert mine.severities["session.capacity"] == "advisory"
    assert mine.severities["static.sbom"] == "fail"
    assert "static.sbom" not in mine.external
    assert mine.thresholds == hub.thresholds
    kept = hub.severities.keys() - {"session.capacity"}
    assert {name: mine.severities[name] for name in kept} == {
        name: hub.severities[name] for name in kept
    }


def test_it_extends_only_what_is_shipped(tmp_path: Path) -> None:
    text = 'name = "x"\nversion = "1"\nextends = "hubb"\n'
    with pytest.raises(SettingsError, match="Did you mean 'hub'"):
        read_policy(written(tmp_path, text))


def test_shipped_policies_are_these() -> None:
    assert shipped_policies() == ["author", "event", "hub", "rfc008-v1", "rfc008-v2"]


@pytest.mark.parametrize(
    ("found", "bound", "limits", "status"),
    [
        (share(0.5, 0.4, 0.6), "low", {"at_least": 0.4}, "pass"),
        (share(0.5, 0.3, 0.6), "low", {"at_least": 0.4}, "skip"),
        (share(0.2, 0.1, 0.3), "low", {"at_least": 0.4}, "fail"),
        (share(0.2, 0.1, 0.3), "high", {"at_most": 0.3}, "pass"),
        (share(0.2, 0.1, 0.3), "high", {"at_most": 0.25}, "skip"),
        (share(0.2, 0.1, 0.3), "high", {"at_most": 0.05}, "fail"),
        (share(0.2, 0.1, 0.3), "estimate", {"at_least": 0.2}, "pass"),
        (share(0.2, 0.1, 0.9), "estimate", {"at_least": 0.21}, "fail"),
        (share(0.2, 0.1, 0.9), "low", {"at_most": 0.05}, "fail"),
        (Measure(estimate=3.0), "low", {"at_least": 1.0}, "skip"),
        (undefined("no episode was scored"), "low", {"at_least": 0.0}, "skip"),
        (Measure(estimate=1.0, low=0.0, n=9), "low", {"at_least": 0.5}, "skip"),
        (Measure(estimate=0.1, high=0.2, n=9), "low", {"at_least": 0.5}, "fail"),
        (Measure(estimate=0.1, high=0.2, n=9), "low", {"at_least": 0.15}, "skip"),
        (Measure(estimate=1.0, low=0.4, n=9), "high", {"at_most": 0.5}, "skip"),
        (Measure(estimate=1.0, low=0.6, n=9), "high", {"at_most": 0.5}, "fail"),
    ],
)
def test_a_threshold_is_met_missed_or_open(
    found: Measure, bound: str, limits: dict[str, float], status: str
) -> None:
    rule = Threshold.model_validate({"metric": "headline/signal", "bound": bound, **limits})
    report = worth_training()
    report = report.model_copy(update={"headline": {"signal": found}})
    judged = judge(report, Policy(name="p", version="1", severities={}, thresholds=[rule]))
    assert [one.status for one in judged.verdict.rules] == [status]
    assert judged.verdict.status == {"pass": "pass", "skip": "warn", "fail": "fail"}[status]


@pytest.mark.parametrize(
    ("metric", "bound", "limit", "name", "reason"),
    [
        (
            "times/step_p50",
            "estimate",
            0.01,
            "times/step_p50 <= 0.01 s",
            "12.3 ms [11.0, 14.0], n = 9; at most 10 ms is asked",
        ),
        (
            "times/step_p50",
            "high",
            0.0125,
            "upper bound of times/step_p50 <= 0.0125 s",
            "the interval reaches over the bound: 12.3 ms [11.0, 14.0], n = 9; "
            "at most 12.5 ms is asked of its upper bound",
        ),
        (
            "headline/floor",
            "estimate",
            0.1999,
            "headline/floor <= 0.1999",
            "0.20 [0.10, 0.30], n = 40; at most 0.1999 is asked, and it is 0.2",
        ),
    ],
)
def test_a_bound_is_told_in_the_unit_of_what_it_bounds(
    metric: str, bound: str, limit: float, name: str, reason: str
) -> None:
    step = Measure(estimate=0.0123, low=0.011, high=0.014, n=9, unit="seconds")
    report = worth_training()
    report = report.model_copy(
        update={
            "headline": {"floor": share(0.2, 0.1, 0.3)},
            "times": report.times.model_copy(update={"measures": {"step_p50": step}}),
        }
    )
    rule = Threshold.model_validate({"metric": metric, "bound": bound, "at_most": limit})
    judged = judge(report, Policy(name="p", version="1", severities={}, thresholds=[rule]))
    [line] = judged.verdict.rules
    assert (line.name, line.reason) == (name, reason)


@pytest.mark.parametrize(
    ("metric", "reason", "needed"),
    [
        ("probe:nobody/mean_score", "no probe nobody played", "a run with that probe"),
        ("semantic.floor_gap/gapp", "measures no gapp", "one of floor, gap"),
        ("session.capacity/sessions", "measured nothing: not asked yet", "a larger --budget"),
        ("headline/training_value", "no learner played", "learner"),
        ("times/start_wait", "the server was up at once", ""),
    ],
)
def test_a_number_that_is_not_there_is_open_and_says_why(
    metric: str, reason: str, needed: str
) -> None:
    gap = check(
        "semantic.floor_gap", measured={"gap": share(0.8, 0.7, 0.9), "floor": share(0.1, 0.0, 0.2)}
    )
    capacity = check("session.capacity", "skip", reason="not asked yet", needed="a larger --budget")
    report = worth_training().model_copy(update={"results": [gap, capacity]})
    policy = Policy(
        name="p",
        version="1",
        severities={"semantic.floor_gap": "fail", "session.capacity": "fail"},
        thresholds=[Threshold(metric=metric, at_least=0.5)],
    )
    [line] = judge(report, policy).verdict.rules
    assert line.status == "skip"
    assert reason in line.reason
    assert needed in line.needed


@pytest.mark.parametrize(
    ("metric", "estimate"),
    [
        ("headline/floor", 0.05),
        ("probe:random/mean_score", 0.31),
        ("probe:greedy/success_rate", 0.9),
        ("times/step_p95", 0.0031),
        ("ledger/scored_share", 238 / 240),
        ("semantic.floor_gap/gap", 0.86),
    ],
)
def test_any_number_of_the_report_can_be_bounded(metric: str, estimate: float) -> None:
    report = worth_training()
    gap = check("semantic.floor_gap", measured={"gap": share(0.86, 0.7, 0.9)})
    report = report.model_copy(update={"results": [gap]})
    for limit, status in ((estimate, "pass"), (estimate + 1e-6, "fail")):
        policy = Policy(
            name="p",
            version="1",
            severities={"semantic.floor_gap": "fail"},
            thresholds=[Threshold(metric=metric, at_least=limit)],
        )
        assert judge(report, policy).verdict.status == status


def test_a_threshold_for_other_groups_is_open() -> None:
    rule = Threshold(metric="headline/signal", at_least=0.0, group_size=16)
    judged = judge(
        worth_training(), Policy(name="p", version="1", severities={}, thresholds=[rule])
    )
    [line] = judged.verdict.rules
    assert (line.status, line.needed) == ("skip", "a run with `--group-size 16`")


def test_a_required_declaration() -> None:
    policy = Policy(
        name="p",
        version="1",
        severities={},
        declarations=Declarations(required=["envassay.score_range"]),
    )
    assert judge(worth_training(), policy).verdict.status == "fail"
    declared = worth_training().model_copy(
        update={"manifest": {"envassay": {"score_range": [0, 1]}}}
    )
    assert judge(declared, policy).verdict.status == "pass"


def test_a_waiver_takes_a_failure_out_of_the_verdict_and_is_listed() -> None:
    report = worth_training().model_copy(
        update={"results": [check("runtime.startup", "fail", reason="it does not start")]}
    )
    waiver = Waiver(check="runtime.startup", reason="ticket 7", owner="ops", expires=TODAY)
    severities = {"runtime.startup": "fail"}
    bare = Policy.model_validate({"name": "p", "version": "1", "severities": severities})
    assert judge(report, bare).verdict.status == "fail"
    verdict = judge(report, bare.model_copy(update={"waivers": [waiver]})).verdict
    assert verdict.status == "pass"
    assert [rule.reason for rule in verdict.rules] == ["ticket 7, until 2026-03-01, by ops"]


def test_what_broke_is_not_waived() -> None:
    report = worth_training().model_copy(update={"results": [check("runtime.startup", "error")]})
    waiver = Waiver(check="runtime.startup", reason="r", owner="o", expires=TODAY)
    policy = Policy(
        name="p", version="1", severities={"runtime.startup": "advisory"}, waivers=[waiver]
    )
    assert judge(report, policy).verdict.status == "fail"


def test_what_the_policy_asks_and_the_report_lacks_is_open() -> None:
    policy = Policy(name="p", version="1", severities={"runtime.startup": "fail"})
    report = worth_training().model_copy(update={"results": []})
    judged = judge(report, policy)
    assert [(one.id, one.status) for one in judged.results] == [("runtime.startup", "skip")]
    assert (judged.verdict.status, judged.verdict.exit_code) == ("warn", 0)
    complete = judge(report, policy, complete=True).verdict
    assert (complete.status, complete.exit_code) == ("fail", 1)
    strict = policy.model_copy(update={"rules": Rules(undecided="fail")})
    assert judge(report, strict).verdict.status == "fail"


def test_only_what_the_policy_names_is_reported() -> None:
    policy = Policy(name="p", version="1", severities={"runtime.startup": "warn"})
    judged = judge(worth_training(), policy)
    assert [(one.id, one.severity) for one in judged.results] == [("runtime.startup", "warn")]


def test_judging_twice_changes_nothing() -> None:
    policy = read_policy("hub")
    once = judge(worth_training(), policy, baseline=worth_training())
    assert judge(once, policy, baseline=worth_training()) == once


def test_what_no_merged_report_answers_is_open_and_says_so() -> None:
    policy = Policy.model_validate(
        {
            "name": "p", "version": "1", "severities": {},
            "external": {"static.sbom": "fail"}, "external_expected": True,
        }
    )  # fmt: skip
    report = worth_training()
    [alone] = judge(report, policy).results
    assert alone.reason.endswith("no report of them is merged")
    merged = Merged(
        tool="t", target=".", source_digest="", policy_version="v1", levels=[1], checks=[]
    )
    [beside] = judge(report.model_copy(update={"merged": [merged]}), policy).results
    assert beside.status == "skip"
    assert beside.reason.endswith("no report of them that is merged answers it")
