"""Discovery against a server with every fault: one clear line each, or what could be found."""

import asyncio
from pathlib import Path

import pytest

from tests.servers.hostile import PAGES, SCHEMA, Hostile
from tests.validator.client.certificates import serving, write_certificate
from validator.client.address import read_address
from validator.client.discovery import Found, discover
from validator.client.limits import Limits
from validator.client.reading import Observed
from validator.client.session import Session
from validator.client.tls import trusting
from validator.client.way import Way
from validator.errors import TargetError, UnsafeTarget, UnsupportedTarget

LIMITS = Limits(
    connect_seconds=5.0,
    reset_seconds=5.0,
    step_seconds=5.0,
    http_seconds=5.0,
    http_bytes=2**20,
    connect_retries=0,
    start_seconds=0.0,
    listen_seconds=0.0,
)
HASTY = Limits(http_seconds=0.3, connect_seconds=0.3, connect_retries=0)


def found_at(url: str, limits: Limits = LIMITS) -> Found:
    async def run() -> Found:
        found = await discover(Way(address=read_address(url), limits=limits, headers={}))
        if found.wire is not None:
            await found.wire.close()
        return found

    return asyncio.run(run())


def refused_at(url: str, limits: Limits = LIMITS) -> TargetError:
    with pytest.raises(TargetError) as caught:
        found_at(url, limits)
    assert "\n" not in str(caught.value)
    assert caught.value.where.startswith(url)
    return caught.value


def test_what_a_server_says_of_itself(hostile: Hostile) -> None:
    about = found_at(hostile.url("well")).about
    assert about.url == hostile.url("well")
    assert (about.driver, about.name, about.version) == ("websocket", "Stranger", "1.0.0")
    assert about.description == "An environment."
    assert about.action_schema == SCHEMA["action"]
    assert about.observation_schema == SCHEMA["observation"]
    assert about.state_schema == SCHEMA["state"]
    assert (about.tools, about.tasks) == (None, None)
    assert about.documents == PAGES
    assert len(about.fingerprint) == 64


def test_http_comes_first_and_the_connection_last(hostile: Hostile) -> None:
    before = len(hostile.seen)
    found_at(hostile.url("well"))
    assert [line.removeprefix("GET /well") for line in hostile.seen[before:]] == [
        "/health",
        "/openapi.json",
        "/schema",
        "/metadata",
        "/ws",
    ]


@pytest.mark.parametrize(
    ("fault", "kind", "what", "do"),
    [
        ("web-page", UnsupportedTarget, "a web page is there, and no environment", "base address"),
        ("not-found", UnsupportedTarget, "no environment is there (/health: HTTP 404", "base"),
        ("unauthorized", TargetError, "access is refused (HTTP 401)", "--header"),
        ("forbidden", TargetError, "access is refused (HTTP 403)", "--header"),
        ("asleep", TargetError, "the server is not up (HTTP 503)", "asleep"),
        ("huge-body", UnsupportedTarget, "an answer larger than the limit of 1048576 b", "base"),
        ("inflated", TargetError, "the answer is compressed, which was not asked for", ""),
        ("hang-up", TargetError, "no answer (", "Is the server running"),
        ("round-trip", TargetError, "no answer (more than 5 redirects)", ""),
        ("elsewhere", UnsafeTarget, "it redirects to http://169.254.169.254/latest/m", "trust"),
        (
            "stateful",
            UnsupportedTarget,
            "reset and step are offered over HTTP but there is no WebSocket at /ws",
            "openenv-core 0.2 or later",
        ),
        ("no-upgrade", TargetError, "it answers over HTTP, but opens no session at ws://", "--he"),
        ("upgrade-full", TargetError, "it answers over HTTP, but opens no session", "Try again"),
        ("upgrade-elsewhere", UnsafeTarget, "the upgrade is redirected to http://169.", "trust"),
        ("stranger", UnsupportedTarget, "no environment is there", "base address"),
    ],
)
def test_one_clear_line(
    hostile: Hostile, fault: str, kind: type[TargetError], what: str, do: str
) -> None:
    found = refused_at(hostile.url(fault))
    assert type(found) is kind
    assert what in found.what
    assert do in found.do
    assert found.exit_code == 2


@pytest.mark.parametrize("fault", ["hang", "drip", "drip-head"])
def test_no_whole_answer_in_time(hostile: Hostile, fault: str) -> None:
    found = refused_at(hostile.url(fault), HASTY)
    assert found.what == "no whole answer in 0.3 s to the first question (/health)"


def test_redirect_elsewhere_is_never_followed(hostile: Hostile) -> None:
    with Hostile() as other:
        refused_at(hostile.url("elsewhere"))
        assert other.seen == []


def test_redirect_on_the_same_host_is_followed(hostile: Hostile) -> None:
    found = found_at(hostile.url("moved"))
    assert found.about.name == "Stranger"


def test_connection_that_died_unannounced_is_made_anew(hostile: Hostile) -> None:
    patient = Limits(connect_seconds=5.0, http_seconds=5.0, connect_retries=1)
    assert found_at(hostile.url("half-dead"), patient).about.name == "Stranger"


def test_gibberish_is_noted_and_not_believed(hostile: Hostile) -> None:
    found = found_at(hostile.url("gibberish"))
    assert found.about.name == "127.0.0.1"
    assert found.about.action_schema is None
    assert found.about.documents["/openapi.json"] == "no JSON (application/json)"
    assert found.about.documents["/schema"] == "no JSON (application/json)"
    assert (found.about.tools, found.about.tasks) == (None, None)


def test_server_of_sockets_only_is_asked_on_a_session(hostile: Hostile) -> None:
    before = len(hostile.frames)
    found = found_at(hostile.url("sockets-only"))
    assert hostile.frames[before] == '{"type": "state"}'
    assert found.wire is None
    assert found.about.name == "127.0.0.1"


def test_slow_constructor_costs_one_wait(hostile: Hostile) -> None:
    found = found_at(hostile.url("slow-metadata"), HASTY)
    assert found.about.documents["/metadata"] == "no whole answer in 0.3 s"
    assert found.about.name == "127.0.0.1"
    assert found.about.action_schema == SCHEMA["action"]


def test_server_that_hangs_everywhere_costs_two_waits(hostile: Hostile) -> None:
    found = found_at(hostile.url("only-healthy"), HASTY)
    documents = found.about.documents
    assert documents["/schema"] == "no whole answer in 0.3 s"
    assert documents["/metadata"] == "not asked: /schema did not answer in time"
    assert documents["/list_environments"] == "not asked: /schema did not answer in time"


def test_fingerprint_is_of_the_environment_not_of_its_address(hostile: Hostile) -> None:
    prints = {found_at(hostile.url(fault)).about.fingerprint for fault in ("well", "moved")}
    other = found_at(hostile.url("slow-metadata"), HASTY).about.fingerprint
    assert len(prints) == 1
    assert other not in prints


def test_opened_connection_is_a_session(hostile: Hostile) -> None:
    async def run() -> object:
        way = Way(address=read_address(hostile.url("well")), limits=LIMITS, headers={})
        found = await discover(way)
        assert found.wire is not None
        reading = await Session(found.wire, LIMITS).reset(seed=1, options={})
        await found.wire.close()
        return reading

    assert isinstance(asyncio.run(run()), Observed)


def test_nobody_there() -> None:
    found = refused_at("http://127.0.0.1:9")
    assert found.what.startswith("no answer (")
    assert found.do == "Is the server running, and are host and port right?"


def test_name_that_does_not_exist() -> None:
    found = refused_at("http://nobody.invalid")
    assert found.what.startswith("no answer (")


def test_plain_server_asked_for_a_secure_connection(hostile: Hostile) -> None:
    found = refused_at(hostile.url("well").replace("http:", "https:"))
    assert found.what.startswith("no secure connection (")
    assert "certificate" in found.do


def test_certificate_that_nobody_vouches_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = write_certificate(tmp_path)
    with Hostile(serving(certificate)) as secure:
        found = refused_at(secure.url("well"))
        assert found.what.startswith("no secure connection (")
        assert secure.seen == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        trusting.cache_clear()
        try:
            about = found_at(secure.url("well")).about
        finally:
            trusting.cache_clear()
        assert about.url == secure.url("well")


def test_page_of_a_space_names_its_server() -> None:
    from validator.client.http import Answer
    from validator.client.refusals import unusable

    page = Answer(status=200, kind="text/html", body=b"<html>", url="")
    address = read_address("https://huggingface.co/spaces/Some_One/my.env")
    found = unusable(address, {"/health": page})
    assert found.do.endswith("https://some-one-my-env.hf.space.")
