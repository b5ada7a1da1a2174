"""As many targets as are asked for, each reply 200 ms late: a fake of latency, nothing else.

Prints its base URL, then serves until it is ended. Any first part of a path is a target of its
own: `http://127.0.0.1:PORT/7`. An episode is three steps; the right one of two moves is paid.
"""

import asyncio
import json
from typing import Any

from websockets.asyncio.server import Request, Response, ServerConnection, serve
from websockets.datastructures import Headers

SECONDS = 0.2
PAGES: dict[str, Any] = {
    "health": {"status": "healthy"},
    "metadata": {"name": "late", "description": "Answers late."},
    "openapi.json": {"paths": {"/reset": {}, "/step": {}, "/schema": {}, "/metadata": {}}},
    "schema": {
        "action": {
            "type": "object",
            "properties": {"move": {"enum": [0, 1]}},
            "required": ["move"],
        },
        "observation": {"type": "object"},
        "state": {"type": "object"},
    },
}


async def route(connection: ServerConnection, request: Request) -> Response | None:
    await asyncio.sleep(SECONDS)
    name = request.path.rpartition("/")[2]
    if name == "ws":
        return None
    body = json.dumps(PAGES.get(name, {"detail": "Not Found"})).encode()
    headers = Headers({"Content-Type": "application/json", "Content-Length": str(len(body))})
    return Response(200 if name in PAGES else 404, "", headers, body)


async def session(wire: ServerConnection) -> None:
    seed = steps = 0
    async for text in wire:
        await asyncio.sleep(SECONDS)
        message = json.loads(text)
        told, kind, reward = message.get("data") or {}, "observation", 0.0
        match message["type"]:
            case "reset":
                seed, steps = told.get("seed") or 0, 0
            case "step" if told.get("move") in (0, 1):
                steps += 1
                reward = float(told["move"] == (seed + steps) % 2)
            case "state":
                kind = "state"
            case _:
                kind, told = "error", {"code": "VALIDATION_ERROR", "message": "Invalid message"}
        seen = {"observation": {"step": steps, "seed": seed}, "reward": reward, "done": steps == 3}
        await wire.send(json.dumps({"type": kind, "data": told if kind == "error" else seen}))


async def main() -> None:
    async with serve(
        session, "127.0.0.1", 0, process_request=route, compression=None, open_timeout=60,
        backlog=4096,
    ) as server:  # fmt: skip
        print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
