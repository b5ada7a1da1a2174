"""Why an address cannot be validated, in one line: where, what, and what to do."""

from collections.abc import Mapping

from validator.client.address import Address
from validator.client.faults import SessionFault
from validator.client.http import Answer, Reply, Unanswered
from validator.errors import TargetError, UnsafeTarget, UnsupportedTarget

_TOKEN = "Give a token with --header 'Authorization: Bearer TOKEN'."
_BASE = "Give the base address of a running OpenEnv server, such as http://localhost:8000."
_IS_IT_UP = "Is the server running, and are host and port right?"


def unreachable(address: Address, reply: Unanswered) -> TargetError:
    """Say why the first question had no answer."""
    where = address.http
    match reply.cause:
        case "time":
            return TargetError(
                f"{reply.why} to the first question (/health)",
                where=where,
                do="Is the server still starting or busy? Try again when it answers.",
            )
        case "tls":
            return TargetError(
                f"no secure connection ({reply.why})",
                where=where,
                do="Is the certificate valid for this host, or does the server speak plain http?",
            )
        case "elsewhere":
            return UnsafeTarget(
                f"{reply.why}, another place: not followed",
                where=where,
                do=f"Give that address if you trust it. {_TOKEN}",
            )
        case "size":
            return UnsupportedTarget(f"/health gave {reply.why}", where=where, do=_BASE)
    return TargetError(f"no answer ({reply.why})", where=where, do=_IS_IT_UP)


def no_session(address: Address, replies: Mapping[str, Reply], fault: SessionFault) -> TargetError:
    """Say why no session can be opened although something answers over HTTP."""
    statuses = _statuses(replies)
    if _offers_stateful_http(replies):
        return UnsupportedTarget(
            f"reset and step are offered over HTTP but there is no WebSocket at /ws ({fault.why}), "
            "as with openenv-core 0.1; such servers share one environment among all who ask",
            where=address.http,
            do="Serve the environment with openenv-core 0.2 or later, or with openenv.",
        )
    if any(status == 200 for status in statuses.values()) and not _is_page(replies):
        return TargetError(
            f"it answers over HTTP, but opens no session at {address.websocket} ({fault.why})",
            where=address.http,
            do="Does a proxy on the way let WebSocket upgrades through? " + _TOKEN,
        )
    return unusable(address, replies)


def unusable(address: Address, replies: Mapping[str, Reply]) -> TargetError:
    """Say what is there, where it is no environment."""
    where = address.http
    statuses = _statuses(replies)
    seen = set(statuses.values())
    if seen & {401, 403} and not seen & {200}:
        status = min(seen & {401, 403})
        return TargetError(f"access is refused (HTTP {status})", where=where, do=_TOKEN)
    if seen & {500, 502, 503, 504} and not seen & {200}:
        status = min(seen & {500, 502, 503, 504})
        return TargetError(
            f"the server is not up (HTTP {status})",
            where=where,
            do="Is it still starting, or asleep? Open it in a browser and try again.",
        )
    if _is_page(replies):
        return UnsupportedTarget(
            "a web page is there, and no environment", where=where, do=_advice(address)
        )
    routes = ", ".join(f"{route}: HTTP {status}" for route, status in statuses.items())
    return UnsupportedTarget(
        f"no environment is there ({routes or 'nothing usable'}; no session at /ws)",
        where=where,
        do=_advice(address),
    )


def _advice(address: Address) -> str:
    parts = address.path.split("/")
    if address.host == "huggingface.co" and len(parts) == 4 and parts[1] == "spaces":
        name = f"{parts[2]}-{parts[3]}".lower().replace("_", "-").replace(".", "-")
        return f"That is the page of a Space; its server is https://{name}.hf.space."
    if address.host.endswith(".hf.space"):
        return f"A private Space answers so to those without a token. {_TOKEN}"
    return _BASE


def _statuses(replies: Mapping[str, Reply]) -> dict[str, int]:
    return {route: reply.status for route, reply in replies.items() if isinstance(reply, Answer)}


def _is_page(replies: Mapping[str, Reply]) -> bool:
    answers = [reply for reply in replies.values() if isinstance(reply, Answer)]
    return any(reply.kind == "text/html" for reply in answers) and not any(
        reply.status == 200 and reply.kind == "application/json" for reply in answers
    )


def _offers_stateful_http(replies: Mapping[str, Reply]) -> bool:
    reply = replies.get("/openapi.json")
    if not isinstance(reply, Answer) or reply.status != 200:
        return False
    try:
        page = reply.json
    except ValueError:
        return False
    paths = page.get("paths") if isinstance(page, dict) else None
    return isinstance(paths, dict) and {"/reset", "/step"} <= paths.keys()
