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
        ('[rules]\nundecidd = "fail"', "did you mean 'undecided'?"),
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
    one = '[[thresholds]]\nmetric = "headline/signal"\nat_least = 0.1\n'
    assert len(read_policy(written(tmp_path, HEAD + one * 1000)).thresholds) == 1000
    with pytest.raises(SettingsError, match="is larger than 64 KiB"):
        read_policy(written(tmp_path, HEAD + one * 2000))


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
