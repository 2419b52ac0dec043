"""A stand-in for a language model: a server on the loopback that answers chats from a script and keeps transcripts."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Chat = list[dict[str, str]]
Answer = str | int | bytes | tuple[int, dict[str, str]]
"""A text; a status code, maybe with headers; or the bytes of a body."""
Script = Callable[[Chat], Answer]

PATH = "/v1/chat/completions"


class StandIn:
    """A running stand-in.

    Attributes:
        url: its address.
        requests: bodies of all requests, in order.
        headers: headers of all requests, in order.
        transcript: chats with the answers that were given to them, in order.
        counts_tokens: whether it reports numbers of tokens: one for each word.
    """

    def __init__(self, script: Script, *, counts_tokens: bool = True) -> None:
        self.script = script
        self.counts_tokens = counts_tokens
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.transcript: list[tuple[Chat, Answer]] = []
        self.url = ""

    def body(self, chat: Chat, text: str) -> bytes:
        """The body of a reply."""
        reply: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": text}}]}
        if self.counts_tokens:
            asked = sum(len(message["content"].split()) for message in chat)
            reply["usage"] = {"prompt_tokens": asked, "completion_tokens": len(text.split())}
        return json.dumps(reply).encode()


@contextmanager
def stand_in(script: Script, *, counts_tokens: bool = True) -> Iterator[StandIn]:
    """Run a stand-in that answers by a script."""
    server = StandIn(script, counts_tokens=counts_tokens)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(request)
            server.headers.append(dict(self.headers))
            if self.path != PATH:
                self.send_error(404)
                return
            answer = server.script(request["messages"])
            server.transcript.append((request["messages"], answer))
            status, headers = answer if isinstance(answer, tuple) else (200, {})
            if isinstance(answer, int):
                status = answer
            body = answer if isinstance(answer, bytes) else b"trouble"
            if isinstance(answer, str):
                body = server.body(request["messages"], answer)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{listener.server_port}/v1"
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()


def replies(*answers: Answer) -> Script:
    """A script of answers in this order; the last one again and again."""
    left = list(answers)
    return lambda chat: left.pop(0) if len(left) > 1 else left[0]


def first_legal(chat: Chat) -> str:
    """A script: the number of the first legal action, or its text if numbers could be actions."""
    legal = chat[1]["content"].partition("\nLegal: ")[2]
    example = chat[1]["content"].rpartition("(`")[2].partition("`)")[0]
    return f"I have thought about it.\nAction: {example}" if legal else "?"
