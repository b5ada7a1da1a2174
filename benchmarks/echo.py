"""An echo environment on a raw `websockets` server: as little work as a server can do.

Prints its base URL, then serves until it is ended. It speaks as much of the protocol as a
target must: a health route, a schema route, and sessions over `/ws`.
"""

import asyncio
import json
from http import HTTPStatus

from websockets.asyncio.server import Request, Response, ServerConnection, serve
from websockets.datastructures import Headers

SCHEMA = {
    "action": {
        "type": "object",
        "properties": {"message": {"type": "string"}},
        "required": ["message"],
    },
    "observation": {"type": "object"},
    "state": {"type": "object"},
}
PAGES = {
    "/health": {"status": "healthy"},
    "/metadata": {"name": "echo", "description": "Says what it was told."},
    "/schema": SCHEMA,
}


def route(connection: ServerConnection, request: Request) -> Response | None:
    if request.path == "/ws":
        return None
    page = PAGES.get(request.path)
    body = json.dumps(page or {"detail": "Not Found"}).encode()
    status = HTTPStatus.OK if page else HTTPStatus.NOT_FOUND
    headers = Headers({"Content-Type": "application/json", "Content-Length": str(len(body))})
    return Response(status.value, status.phrase, headers, body)


async def session(wire: ServerConnection) -> None:
    async for text in wire:
        message = json.loads(text)
        data = message.get("data", {})
        said = data.get("message") if message["type"] == "step" else None
        await wire.send(
            json.dumps(
                {
                    "type": "observation",
                    "data": {"observation": {"message": said}, "reward": 0.0, "done": False},
                }
            )
        )


async def main() -> None:
    async with serve(session, "127.0.0.1", 0, process_request=route, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        print(f"http://127.0.0.1:{port}", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
