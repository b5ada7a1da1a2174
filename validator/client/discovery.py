"""What a server says of itself over HTTP, and whether it opens sessions."""

import json
from dataclasses import asdict, dataclass, replace
from functools import partial

from validator.client.address import upgraded
from validator.client.faults import SessionFault
from validator.client.frames import Json
from validator.client.http import Answer, Http, Reply
from validator.client.mcp import LIST_TOOLS, read_tools
from validator.client.reading import McpRead, StateRead, Unreadable
from validator.client.refusals import no_session, unreachable, unusable
from validator.client.session import Session
from validator.client.starting import Waited, until_up
from validator.client.tasks import read_task_index
from validator.client.way import Way
from validator.client.websocket import WebSocketWire, open_wire
from validator.targets.base import About, TaskIndex, Tool, fingerprint_of

_LONGEST_NAME = 200
_LONGEST_DESCRIPTION = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A server that can be spoken to."""

    about: About
    way: Way
    """The way as it is after redirects on the same host."""
    wire: WebSocketWire | None
    """The connection that showed that sessions are opened, unused; None where it was used."""


async def discover(way: Way) -> Found:
    """Find out what is at an address, by asking its routes and opening one connection.

    HTTP comes first and ends before the connection opens: servers build an environment for
    some of these questions, and on a slow one that would hold up a running session.

    Raises:
        TargetError: no environment there, or none that is spoken to here.
    """
    asked = _Asked()
    async with Http(way) as http:
        way = await _first_contact(http, way, asked)
        await asked.ask(http, "/openapi.json")
        await asked.ask(http, "/schema")
        await asked.ask(http, "/metadata", builds=True)
        tasks = await _tasks(http, asked)
        tools = await _tools(http, asked)
    try:
        wire = await open_wire(way, operation="open")
    except SessionFault as fault:
        raise no_session(way.address, asked.replies, fault) from fault
    if not asked.known or (tools is None and asked.lists_tools_elsewhere):
        tools = await _over_session(way, wire, asked, tools)
        return Found(about=_about(way, asked, tools, tasks), way=way, wire=None)
    return Found(about=_about(way, asked, tools, tasks), way=way, wire=wire)


class _Asked:
    """The questions put so far and what came back."""

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}
        self.answers: dict[str, Json] = {}
        """Parsed answers with status 200."""
        self.documents: dict[str, Json] = {}
        """The same, and the faults of the others in words."""
        self.waited = Waited()
        self._slow: list[str] = []

    @property
    def known(self) -> bool:
        """Say whether the HTTP side looks like an environment's."""
        schema = self.usable("/schema")
        return (isinstance(schema, dict) and "action" in schema) or self.routes >= {
            "/reset",
            "/step",
        }

    @property
    def routes(self) -> set[str]:
        """Return the paths the server documents; empty where it documents none."""
        page = self.usable("/openapi.json")
        paths = page.get("paths") if isinstance(page, dict) else None
        return set(paths) if isinstance(paths, dict) else set()

    @property
    def lists_tools_elsewhere(self) -> bool:
        """Say whether actions are tool calls although HTTP did not list the tools."""
        schema = self.usable("/schema")
        action = schema.get("action") if isinstance(schema, dict) else None
        fields = action.get("properties") if isinstance(action, dict) else None
        return isinstance(fields, dict) and {"tool_name", "arguments"} <= fields.keys()

    def offers(self, route: str) -> bool:
        """Say whether asking a route makes sense: it is documented, or nothing is."""
        return not self.routes or route in self.routes

    async def ask(
        self, http: Http, route: str, body: Json = None, *, builds: bool = False, key: str = ""
    ) -> Json:
        """Ask a route and keep what came back; return it where it is JSON with status 200.

        Once a route took too long the server may still be busy with it: those that build an
        environment are then not asked, and after a second such route none is.
        """
        key = key or route
        if len(self._slow) > (0 if builds else 1):
            self.documents[key] = f"not asked: {self._slow[-1]} did not answer in time"
            return None
        reply = await (http.get(route) if body is None else http.post(route, body))
        self.replies[key] = reply
        if not isinstance(reply, Answer):
            self.documents[key] = reply.why
            if reply.cause == "time":
                self._slow.append(route)
            return None
        if reply.status != 200:
            self.documents[key] = f"HTTP {reply.status}"
            return None
        try:
            self.answers[key] = self.documents[key] = reply.json
        except ValueError:
            self.documents[key] = f"no JSON ({reply.kind or 'no media type'})"
            return None
        return self.answers[key]

    def usable(self, route: str) -> Json:
        """Return the parsed answer of a route, None where there is none."""
        return self.answers.get(route)


async def _first_contact(http: Http, way: Way, asked: _Asked) -> Way:
    """Ask the lightest route, which decides whether anything is there at all."""

    async def ask() -> Reply:
        await asked.ask(http, "/health")
        return asked.replies["/health"]

    asked.waited = await until_up(ask, partial(_plays, way), way.limits)
    reply = asked.replies["/health"]
    if not isinstance(reply, Answer):
        raise unreachable(way.address, reply)
    return replace(way, address=upgraded(way.address, reply.url))


async def _plays(way: Way) -> bool:
    """Say whether a session is opened and an environment answers on it."""
    limits = replace(way.limits, connect_retries=0)
    try:
        wire = await open_wire(replace(way, limits=limits), operation="open")
    except SessionFault:
        return False
    session = Session(wire, replace(limits, step_seconds=limits.connect_seconds))
    try:
        return isinstance(await session.state(), StateRead)
    except SessionFault:
        return False
    finally:
        await session.close()


async def _tasks(http: Http, asked: _Asked) -> TaskIndex | None:
    if not asked.offers("/list_environments"):
        return None

    async def fetch(route: str, body: Json) -> Json:
        key = route if body is None else f"{route} {_canonical(body)}"
        return await asked.ask(http, route, body, builds=route != "/list_environments", key=key)

    return await read_task_index(fetch)


async def _tools(http: Http, asked: _Asked) -> tuple[Tool, ...] | None:
    if not asked.offers("/mcp"):
        return None
    return read_tools(await asked.ask(http, "/mcp", dict(LIST_TOOLS), builds=True))


async def _over_session(
    way: Way, wire: WebSocketWire, asked: _Asked, tools: tuple[Tool, ...] | None
) -> tuple[Tool, ...] | None:
    """Ask on a session what HTTP did not tell: the tools, and whether this is a session at all."""
    session = Session(wire, replace(way.limits, step_seconds=way.limits.reset_seconds))
    try:
        if not asked.known:
            reading = await session.state()
            if isinstance(reading, Unreadable):
                raise unusable(way.address, asked.replies)
        if tools is None:
            reading = await session.mcp(LIST_TOOLS)
            if isinstance(reading, McpRead):
                asked.documents["mcp frame"] = reading.body
                tools = read_tools(reading.body)
    except SessionFault as fault:
        if not asked.known:
            raise no_session(way.address, asked.replies, fault) from fault
        asked.documents["mcp frame"] = str(fault)
    finally:
        await session.close()
    return tools


def _about(
    way: Way, asked: _Asked, tools: tuple[Tool, ...] | None, tasks: TaskIndex | None
) -> About:
    schema, metadata = asked.usable("/schema"), asked.usable("/metadata")
    schema = schema if isinstance(schema, dict) else {}
    metadata = metadata if isinstance(metadata, dict) else {}
    telling = _telling(asked, tools, tasks)
    return About(
        url=way.address.http,
        driver="websocket",
        name=_text(metadata, "name")[:_LONGEST_NAME] or way.address.host,
        description=_text(metadata, "description")[:_LONGEST_DESCRIPTION],
        version=_text(metadata, "version")[:_LONGEST_NAME],
        action_schema=schema.get("action"),
        observation_schema=schema.get("observation"),
        state_schema=schema.get("state"),
        tools=tools,
        tasks=tasks,
        documents=dict(asked.documents),
        fingerprint=fingerprint_of(telling),
        telling=telling,
        waited=asked.waited,
    )


def _telling(
    asked: _Asked, tools: tuple[Tool, ...] | None, tasks: TaskIndex | None
) -> dict[str, Json]:
    """Return what makes an environment this one, by part: schema, metadata, tools, tasks.

    A route without a usable answer counts as absent, whatever the fault was this time.
    """
    return {
        "schema": asked.usable("/schema"),
        "metadata": asked.usable("/metadata"),
        "tools": None if tools is None else [asdict(tool) for tool in tools],
        "tasks": None if tasks is None else dict(tasks.counts),
        "read tasks": {key: value for key, value in asked.answers.items() if "/task {" in key},
    }


def _canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _text(document: dict[str, Json], key: str) -> str:
    found = document.get(key)
    return found if isinstance(found, str) else ""
