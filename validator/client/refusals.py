"""Why an address cannot be validated, in one line: where, what, and what to do."""

from collections.abc import Mapping

from validator.client.address import Address
from validator.client.faults import Elsewhere, Refused, SessionFault
from validator.client.http import Answer, Reply, Unanswered
from validator.errors import TargetError, UnsafeTarget, UnsupportedTarget

_TOKEN = "Give a token with --header 'Authorization: Bearer TOKEN'."
_BASE = "Give the base address of a running OpenEnv server, such as http://localhost:8000."
_NO_ROUTE = frozenset({400, 403, 404, 405, 426})
"""Statuses of a server that has no WebSocket at the path."""
_BUSY = frozenset({429, 503})
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
                f"{reply.why}: not followed",
                where=where,
                do=f"Give that address if you trust it. {_TOKEN}",
            )
        case "size":
            return UnsupportedTarget(f"/health gave {reply.why}", where=where, do=_BASE)
    return TargetError(f"no answer ({reply.why})", where=where, do=_IS_IT_UP)


def no_session(address: Address, replies: Mapping[str, Reply], fault: SessionFault) -> TargetError:
    """Say why no session can be opened although something answers over HTTP."""
    where, why = address.http, fault.why
    if isinstance(fault, Elsewhere):
        return UnsafeTarget(why, where=where, do=f"Give that address if you trust it. {_TOKEN}")
    status = fault.status if isinstance(fault, Refused) else None
    if status in _NO_ROUTE and _is_stateful(replies):
        return UnsupportedTarget(
            f"reset and step are offered over HTTP but there is no WebSocket at /ws ({why}), as "
            "with openenv-core 0.1; such servers share one environment among all who ask",
            where=where,
            do="Serve the environment with openenv-core 0.2 or later, or with openenv.",
        )
    if not _speaks(replies):
        return unusable(address, replies)
    what = f"it answers over HTTP, but opens no session at {address.websocket} ({why})"
    if status in _BUSY:
        return TargetError(what, where=where, do="Is the server full? Try again later.")
    if status in (401, 403):
        return TargetError(what, where=where, do=f"Are its sessions closed to us? {_TOKEN}")
    return TargetError(
        what, where=where, do="Does every proxy on the way let WebSocket upgrades through?"
    )


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


def _speaks(replies: Mapping[str, Reply]) -> bool:
    """Say whether any route answers as an environment's would: 200, and no web page."""
    answers = [reply for reply in replies.values() if isinstance(reply, Answer)]
    return any(reply.status == 200 for reply in answers) and not _is_page(replies)


def _is_stateful(replies: Mapping[str, Reply]) -> bool:
    """Say whether HTTP offers episodes but not the schemas that came with sessions."""
    page, schema = replies.get("/openapi.json"), replies.get("/schema")
    if not isinstance(page, Answer) or page.status != 200:
        return False
    try:
        document = page.json
    except ValueError:
        return False
    paths = document.get("paths") if isinstance(document, dict) else None
    return (
        isinstance(paths, dict)
        and {"/reset", "/step"} <= paths.keys()
        and not (isinstance(schema, Answer) and schema.status == 200)
    )
