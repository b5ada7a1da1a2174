"""One episode offered as an MCP server: a tool call is an action, its result what is seen then.

It listens on the loopback interface only, at an address with a random token in it, as long as
the episode lasts. Nothing of the environment itself can be reached through it.
"""

import asyncio
import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from probes.base import Json
from probes.harness.toolset import Tools
from probes.model.form import Misfit

if TYPE_CHECKING:
    import uvicorn
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolResult
    from starlette.types import ASGIApp, Receive, Scope, Send

NAME = "environment"
TASK = "task"
TASK_ADDRESS = "envassay://task"
OVER = "The episode is over."
MOST_REQUESTS = 500
"""Requests between two actions."""
MOST_WAITING = 16
"""Calls that wait for their turn."""
MOST_CLIENTS = 16
LARGEST_REQUEST = 2**20
GRACE_SECONDS = 5.0
HOST = "127.0.0.1"


class Flooded(Exception):
    """More was asked than is answered."""


@dataclass(slots=True)
class _Call:
    """An action that a tool call asks for, and what will be told of it."""

    action: Json
    told: "asyncio.Future[tuple[tuple[str, ...], bool]]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def tell(self, *texts: str, error: bool) -> None:
        if not self.told.done():
            self.told.set_result((texts, error))


class Offer:
    """The server of one episode."""

    def __init__(self, tools: Tools, task: str) -> None:
        self.taken = 0
        """Actions that were asked for and taken."""
        self.address = ""
        """Where it is, once it is open."""
        self._tools = tools
        self._task = task
        self._path = f"/{secrets.token_urlsafe(32)}/mcp"
        self._calls: asyncio.Queue[_Call] = asyncio.Queue(MOST_WAITING)
        self._current: _Call | None = None
        self._over = False
        self._requests = 0
        self._flooded = asyncio.Event()
        self._server: uvicorn.Server | None = None
        self._serving: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to listen."""
        import uvicorn

        for name in ("mcp", "uvicorn"):  # what a client does wrong is no one's to read
            logging.getLogger(name).addHandler(logging.NullHandler())
        app = _server_of(self).streamable_http_app(
            streamable_http_path=self._path,
            json_response=True,
            max_request_body_size=LARGEST_REQUEST,
            max_sessions=MOST_CLIENTS,
            host=HOST,
        )
        config = uvicorn.Config(
            self._counted(app), host=HOST, port=0, log_config=None, access_log=False,
            lifespan="on", ws="none", timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = self._server = _quiet(config)
        self._serving = asyncio.create_task(_serve(server))
        while not server.started:
            if self._serving.done():
                raise OSError("no port of the loopback interface is free")
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        self.address = f"http://{HOST}:{port}{self._path}"

    async def wanted(self) -> Json:
        """Return the next action that a tool call asks for.

        Raises:
            Flooded: more is asked than is answered.
        """
        get = asyncio.ensure_future(self._calls.get())
        flooded = asyncio.ensure_future(self._flooded.wait())
        try:
            await asyncio.wait({get, flooded}, return_when=asyncio.FIRST_COMPLETED)
            if not get.done():
                raise Flooded(f"asked {MOST_REQUESTS} times without an action that could be taken")
            self._current = get.result()
        finally:
            get.cancel()
            flooded.cancel()
        self.taken += 1
        self._requests = 0
        return self._current.action

    def tell(self, *texts: str, error: bool) -> None:
        """Answer the call whose action was returned last, each text in a part of its own."""
        if self._current is not None:
            self._current.tell(*texts, error=error)
            self._current = None

    def end(self) -> None:
        """Answer what waits, and all that comes: the episode is over."""
        self._over = True
        self.tell(OVER, error=False)
        while not self._calls.empty():
            self._calls.get_nowait().tell(OVER, error=True)

    async def close(self) -> None:
        """End the episode and stop listening."""
        self.end()
        if self._server is None or self._serving is None:
            return
        self._server.should_exit = True
        try:
            async with asyncio.timeout(GRACE_SECONDS):
                await asyncio.shield(self._serving)
        except TimeoutError:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)

    async def call(self, name: str, arguments: dict[str, Json]) -> tuple[tuple[str, ...], bool]:
        """Return what is told of a tool call, and whether that is an error."""
        if self._over:
            return (OVER,), True
        try:
            call = _Call(self._tools.action(name, arguments))
            self._calls.put_nowait(call)
        except Misfit as fault:
            return (str(fault),), True
        except asyncio.QueueFull:
            return ("too many calls at once; wait for their results",), True
        return await call.told

    def _counted(self, app: "ASGIApp") -> "ASGIApp":
        """Return an application that answers no more than so many requests between two actions."""

        async def counted(scope: "Scope", receive: "Receive", send: "Send") -> None:
            if scope["type"] == "http":
                self._requests += 1
                if self._requests > MOST_REQUESTS:
                    self._flooded.set()
                    await send({"type": "http.response.start", "status": 429, "headers": []})
                    await send({"type": "http.response.body", "body": b""})
                    return
            await app(scope, receive, send)

        return counted

    @property
    def task(self) -> str:
        """Return what a client is told to do."""
        return self._task

    @property
    def tools(self) -> Tools:
        """Return what may be called."""
        return self._tools


def _server_of(offer: Offer) -> "Server[Any]":
    """Return the MCP server: tools, and the task as a resource and as a prompt."""
    import mcp_types as types
    from mcp.server.lowlevel import Server

    listed = types.ListToolsResult(
        tools=[
            types.Tool(
                name=one.name, description=one.description or None, input_schema=one.input_schema
            )
            for one in offer.tools.offered
        ]
    )

    async def list_tools(_: object, __: object) -> types.ListToolsResult:
        return listed

    async def call_tool(_: object, asked: types.CallToolRequestParams) -> "CallToolResult":
        texts, error = await offer.call(asked.name, asked.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(text=text) for text in texts], is_error=error
        )

    async def list_resources(_: object, __: object) -> types.ListResourcesResult:
        found = types.Resource(
            uri=TASK_ADDRESS, name=TASK, description="What to do", mime_type="text/plain"
        )
        return types.ListResourcesResult(resources=[found])

    async def read_resource(
        _: object, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        if str(asked.uri) != TASK_ADDRESS:
            raise ValueError("there is no such resource")
        text = types.TextResourceContents(uri=TASK_ADDRESS, mime_type="text/plain", text=offer.task)
        return types.ReadResourceResult(contents=[text])

    async def list_prompts(_: object, __: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[types.Prompt(name=TASK, description="What to do")])

    async def get_prompt(_: object, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        if asked.name != TASK:
            raise ValueError("there is no such prompt")
        said = types.PromptMessage(role="user", content=types.TextContent(text=offer.task))
        return types.GetPromptResult(messages=[said])

    return Server(
        NAME,
        instructions=f"The resource {TASK_ADDRESS} says what to do. Each tool call is an action.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def _quiet(config: "uvicorn.Config") -> "uvicorn.Server":
    """Return a server that leaves signals to those who started the run."""
    import uvicorn

    class Quiet(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    return Quiet(config)


async def _serve(server: "uvicorn.Server") -> None:
    try:
        await server.serve()
    except SystemExit:  # how it says that it could not begin
        return
