"""An OpenAI-compatible endpoint that follows a script: one answer for each request.

    with Scripted(says({"move": "up"})) as endpoint:
        endpoint.url, endpoint.requests

A script is a function from the request's body and its number to an `Answer`.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

KEY = "sk-very-secret-0123456789"


@dataclass(frozen=True)
class Answer:
    """What is sent back."""

    status: int = 200
    body: Any = None
    """Sent as JSON; bytes as they are."""
    headers: Mapping[str, str] = field(default_factory=dict)
    pause: float = 0.0
    """Seconds between the bytes of the body, until whoever waits has gone."""


Script = Callable[[dict[str, Any], int], Answer]


def completion(
    content: str | None = None,
    *,
    calls: list[tuple[str, Any]] | None = None,
    finish: str = "stop",
    refusal: str | None = None,
    usage: Any = (10, 5, 4),
    model: str = "tiny-1",
) -> Answer:
    """Return a chat completion."""
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if calls is not None:
        message["tool_calls"] = [
            {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}
            for name, arguments in calls
        ]
    if refusal is not None:
        message["refusal"] = refusal
    body: dict[str, Any] = {
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if isinstance(usage, tuple):
        body["usage"] = {
            "prompt_tokens": usage[0],
            "completion_tokens": usage[1],
            "prompt_tokens_details": {"cached_tokens": usage[2]},
        }
    return Answer(body=body)


def error(status: int, message: str, **headers: str) -> Answer:
    return Answer(
        status=status, body={"error": {"message": message}},
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )  # fmt: skip


def says(content: Any) -> Script:
    """Keep the form of a schema, and answer the same whatever is asked."""
    text = content if isinstance(content, str) else json.dumps(content)
    return lambda body, number: completion(held(body) or text)


def held(body: dict[str, Any]) -> str | None:
    """Return the reply to the question whether a schema is kept; None to any other."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    word = schema.get("properties", {}).get("word", {}).get("enum")
    return json.dumps({"word": word[0]}) if word else None


class Scripted:
    """The served script. Its addresses are free ones on the loopback."""

    def __init__(self, script: Script, models: Any = ("tiny-1", "tiny-2")) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._script = script
        self._models = models
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:  # noqa: N802
                listed = outer._models
                if isinstance(listed, Answer):
                    outer._send(self, listed)
                else:
                    data = [{"id": name, "object": "model"} for name in listed]
                    outer._send(self, Answer(body={"object": "list", "data": data}))

            def do_POST(self) -> None:  # noqa: N802
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer._lock:
                    number = len(outer.requests)
                    outer.requests.append(body)
                    outer.headers.append({n.lower(): v for n, v in self.headers.items()})
                outer._send(self, outer._script(body, number))

            def log_message(self, format: str, *args: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @staticmethod
    def _send(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
        body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        handler.send_response(answer.status)
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.send_header("Connection", "close")
        handler.close_connection = True
        try:
            handler.end_headers()
            if not answer.pause:
                handler.wfile.write(body)
                return
            for place in range(len(body)):
                handler.wfile.write(body[place : place + 1])
                handler.wfile.flush()
                time.sleep(answer.pause)
        except OSError:  # whoever asked has gone
            return
