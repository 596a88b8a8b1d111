"""The web server: one worker process with four threads, and the jobs' consumer inside it."""

from __future__ import annotations

import errno
import logging
import os
import socket
import sys
from pathlib import Path
from typing import Any

from annotator_server.app import create_app
from annotator_server.errors import SetupError
from annotator_server.jobs import Jobs

logger = logging.getLogger(__name__)

THREADS = 4


def listen(host: str, port: int) -> socket.socket:
    """Return a bound socket; port 0 takes a free one. Raises SetupError in one sentence when it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise SetupError(f"port {port} on {host} is in use; choose another with --port, or --port 0") from error
        raise SetupError(f"cannot listen on {host} port {port}: {error.strerror or error}") from error
    return listener


def address_of(listener: socket.socket) -> str:
    """Return the URL under which a listening socket is reached."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(home: Path, listener: socket.socket) -> None:
    """Serve until a signal asks to stop; running requests and the running job end first."""
    if sys.platform == "win32":
        _serve_with_waitress(home, listener)
    else:
        _serve_with_gunicorn(home, listener)


if sys.platform == "win32":

    def _serve_with_waitress(home: Path, listener: socket.socket) -> None:
        import waitress

        app = create_app(home)
        queue: Jobs = app.extensions["trailbench_jobs"]
        queue.start()
        try:
            waitress.serve(app, sockets=[listener], threads=THREADS)
        finally:
            queue.stop()

else:

    def _serve_with_gunicorn(home: Path, listener: socket.socket) -> None:
        from gunicorn.app.base import BaseApplication

        class Server(BaseApplication):  # type: ignore[misc]  # it ships no types
            """gunicorn without a command line: its settings come from here, the app is made in the worker."""

            def load_config(self) -> None:
                for name, value in _gunicorn_settings(listener).items():
                    self.cfg.set(name, value)

            def load(self) -> Any:
                return create_app(home)

        parent = os.getpid()
        try:
            Server().run()
        except SystemExit as leave:
            # gunicorn leaves the process at a signal. Its worker, a copy of this one, must go on leaving; the command
            # itself has a last sentence to say.
            if os.getpid() != parent:
                raise
            if leave.code not in (None, 0):
                raise SetupError(f"the web server stopped with code {leave.code}; its log says why") from leave


def _gunicorn_settings(listener: socket.socket) -> dict[str, Any]:
    return {
        "bind": [f"fd://{listener.fileno()}"],
        "workers": 1,
        "worker_class": "gthread",
        "threads": THREADS,
        "timeout": 120,
        "graceful_timeout": 20,
        "loglevel": "warning",
        "control_socket_disable": True,
        "post_worker_init": lambda worker: _jobs_of(worker).start(),
        "worker_exit": lambda _, worker: _jobs_of(worker).stop(),
    }


def _jobs_of(worker: Any) -> Jobs:
    jobs: Jobs = worker.wsgi.extensions["trailbench_jobs"]
    return jobs
