"""The rough road loses nothing, keeps the order, and ends with its block."""

import socket
import threading
from urllib.parse import urlsplit

import pytest

from tests.servers.jitter import jittery


def echo(listening: socket.socket) -> None:
    while True:
        try:
            talking, _ = listening.accept()
        except OSError:
            return
        with talking:
            while piece := talking.recv(4096):
                talking.sendall(piece)


def test_what_goes_in_comes_back_whole() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=echo, args=(listening,), daemon=True).start()
        port = listening.getsockname()[1]
        text = bytes(range(256)) * 400
        with jittery(f"http://127.0.0.1:{port}", least=0.0, most=0.004) as url:
            address = urlsplit(url)
            with socket.create_connection((address.hostname, address.port), timeout=20) as talking:
                talking.sendall(text)
                talking.shutdown(socket.SHUT_WR)
                back = b""
                while piece := talking.recv(4096):
                    back += piece
        assert back == text
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((address.hostname, address.port), timeout=5)
