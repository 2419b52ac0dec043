"""`thurn serve` in a process of its own, which tests may kill."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class RealServer:
    """A server that keeps its games in a folder.

    Args:
        folder: the folder.
        options: further options of the command.
    """

    def __init__(self, folder: Path, options: Sequence[str] = ()) -> None:
        self.folder, self.port, self.options = folder, 0, options
        self.start()

    def start(self) -> None:
        """Start the server, at the same port as before, and wait until it listens."""
        command = [sys.executable, "-m", "thurn_env", "serve", "--port", str(self.port), "--keep", str(self.folder)]
        command += ["--adviser", "greedy", *self.options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ}
        )
        assert self.process.stdout is not None
        found = re.search(r"http://\S+:(\d+)(?=/ )", self.process.stdout.readline())
        assert found is not None
        self.address, self.port = found[0], int(found[1])

    def kill(self) -> None:
        """End the process without a chance to tidy up."""
        self.process.send_signal(signal.SIGKILL)
        self.close()

    def close(self) -> str:
        """End the process, and return what it wrote to its standard error."""
        self.process.terminate()
        _, errors = self.process.communicate()
        return str(errors)

    def __call__(self, path: str, body: Any = None) -> Any:
        """Ask the server; returns the answer's JSON, also of an error."""
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(
                Request(self.address + path, data, {"content-type": "application/json"}), timeout=60
            ) as answer:
                return json.load(answer)
        except HTTPError as error:
            return json.load(error)
