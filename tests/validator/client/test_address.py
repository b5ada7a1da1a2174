"""Addresses: what is taken for one, where it leads, and what is never repeated."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validator.client.address import (
    Address,
    checked_headers,
    follow,
    proxy_for,
    read_address,
    shown,
    upgraded,
)
from validator.errors import TargetError


def fault_of(text: str) -> str:
    """Return what is said of a text that is no address, nothing where it is one."""
    try:
        found = read_address(text)
    except TargetError as fault:
        return str(fault)
    return "" if read_address(found.http) == found else "not the same when read again"


labels = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True)
hosts = st.one_of(
    st.lists(labels, min_size=1, max_size=4).map(".".join),
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(lambda ip: f"[{ip}]"),
)
schemes = st.sampled_from(["http", "https", "ws", "wss"])
ports = st.none() | st.integers(1, 65535)
paths = st.lists(st.from_regex(r"[A-Za-z0-9._~-]{1,6}", fullmatch=True), max_size=3).map(
    lambda parts: "".join(f"/{part}" for part in parts)
)


@st.composite
def addresses(draw: st.DrawFn) -> str:
    port = draw(ports)
    where = draw(hosts) + ("" if port is None else f":{port}")
    return f"{draw(schemes)}://{where}{draw(paths)}"


@given(st.text(), st.text(), addresses())
def test_any_text_is_an_address_or_one_clear_line(before: str, after: str, address: str) -> None:
    for text in (before, before + address + after):
        assert fault_of(text).isprintable()
        assert "not the same" not in fault_of(text)


@given(addresses())
def test_an_address_is_the_same_whichever_way_it_is_written(text: str) -> None:
    found = read_address(text)
    assert read_address(found.http) == found
    assert read_address(found.websocket) == found
    assert read_address(f" {text}/ ") == found
    parts = urlsplit(text)
    assert read_address(f"{parts.scheme.upper()}://{parts.netloc.upper()}{parts.path}") == found
    assert found.secure is text.startswith(("https", "wss"))


@pytest.mark.parametrize(
    ("text", "http", "websocket"),
    [
        ("http://localhost:8000", "http://localhost:8000", "ws://localhost:8000/ws"),
        ("https://a-b.hf.space/", "https://a-b.hf.space", "wss://a-b.hf.space/ws"),
        ("wss://a-b.hf.space/ws", "https://a-b.hf.space", "wss://a-b.hf.space/ws"),
        ("http://h:80/env/web/", "http://h/env", "ws://h/env/ws"),
        ("https://[::1]:8443/x", "https://[::1]:8443/x", "wss://[::1]:8443/x/ws"),
        ("http://b\u00fccher.example", "http://xn--bcher-kva.example", None),
    ],
)
def test_what_is_asked_and_where(text: str, http: str, websocket: str | None) -> None:
    found = read_address(text)
    assert found.http == http
    assert websocket is None or found.websocket == websocket


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("localhost:8000", "no scheme in it"),
        ("", "no scheme in it"),
        ("ftp://host", "the scheme 'ftp' is not spoken here"),
        ("http://", "there is no usable host name in it"),
        ("http://host:0", "port 0 cannot be connected to"),
        ("http://host:99999", "Port out of range"),
        ("http://host/a b", "%-encoding"),
        ("http://host?token=hunter2", "query"),
        ("http://me:hunter2@host", "ends up in logs"),
    ],
)
def test_no_address(text: str, what: str) -> None:
    with pytest.raises(TargetError) as caught:
        read_address(text)
    assert what in str(caught.value)


@given(st.text(st.characters(codec="utf-8", exclude_characters="/?#@"), min_size=6, max_size=20))
def test_a_password_is_never_repeated(password: str) -> None:
    marked = f"hunter2{password}"
    for text in (f"http://me:{marked}@host", f"me:{marked}@host:80"):
        with pytest.raises(TargetError) as caught:
            read_address(text)
        assert "hunter2" not in str(caught.value)


@given(addresses(), addresses())
def test_a_redirect_never_leads_to_another_host(here: str, there: str) -> None:
    target = follow(here, there)
    if target is not None:
        old, new = read_address(here), urlsplit(target)
        assert new.hostname == urlsplit(here).hostname
        assert (new.scheme in ("https", "wss")) >= old.secure


@given(addresses(), st.text())
def test_no_location_makes_following_fail(here: str, location: str) -> None:
    target = follow(here, location)
    assert target is None or urlsplit(target).hostname == urlsplit(here).hostname


@pytest.mark.parametrize(
    ("here", "location", "target"),
    [
        ("http://h/health", "/env/health", "http://h/env/health"),
        ("http://h/health", "https://h/health", "https://h/health"),
        ("ws://h/ws", "wss://h/ws", "wss://h/ws"),
        ("https://h/health", "http://h/health", None),
        ("http://h/health", "http://h:81/health", None),
        ("http://h:8000/health", "https://h:8443/health", None),
        ("http://h/health", "//other/health", None),
        ("http://h/health", "http://h@other/health", None),
        ("http://h/health", "http://me@h/health", None),
        ("http://h/health", "file:///etc/passwd", None),
        ("http://h/health", "http://169.254.169.254/", None),
        ("http://h/health", "http://[", None),
    ],
)
def test_follow(here: str, location: str, target: str | None) -> None:
    assert follow(here, location) == target


def test_step_up_changes_the_address() -> None:
    plain = read_address("http://host/env")
    assert upgraded(plain, "https://host/env/health").http == "https://host/env"
    assert upgraded(plain, "http://host/env/health") == plain


@pytest.mark.parametrize(
    ("text", "loopback"),
    [
        ("http://localhost", True),
        ("http://app.localhost", True),
        ("http://127.8.8.8", True),
        ("http://[::1]", True),
        ("http://10.0.0.1", False),
        ("http://localhost.example", False),
    ],
)
def test_loopback(text: str, loopback: bool) -> None:
    assert read_address(text).is_loopback is loopback


def test_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy:1")
    monkeypatch.setenv("NO_PROXY", "direct.example")
    far = read_address("https://far.example")
    assert proxy_for(far, None) == "http://proxy:1"
    assert proxy_for(far, "http://mine:2") == "http://mine:2"
    assert proxy_for(read_address("http://far.example"), None) is None
    assert proxy_for(read_address("https://direct.example"), None) is None
    assert proxy_for(read_address("https://localhost"), None) is None


@given(st.dictionaries(st.text(), st.text(), max_size=3))
def test_headers_are_sent_as_they_are_or_named(headers: dict[str, str]) -> None:
    try:
        sent = checked_headers(headers)
    except TargetError as told:
        sent, line = headers, str(told)
    else:
        line = ""
    assert sent == headers
    assert line.isprintable()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X Y", "v"),
        ("", "v"),
        ("Host", "v"),
        ("Sec-WebSocket-Key", "v"),
        ("X", "hunter2\r\nEvil: 1"),
        ("X", "hunter2\u00e9"),
    ],
)
def test_header_that_cannot_be_sent(name: str, value: str) -> None:
    with pytest.raises(TargetError) as caught:
        checked_headers({name: value})
    assert "hunter2" not in str(caught.value)


@given(st.text(), st.integers(3, 50))
def test_shown_is_one_bounded_printable_line(text: str, length: int) -> None:
    line = shown(text, length)
    assert line.isprintable()
    assert len(line) <= 10 * length


def test_an_address_holds_what_may_be_logged() -> None:
    assert read_address("http://h:8000/x") == Address(secure=False, host="h", port=8000, path="/x")
