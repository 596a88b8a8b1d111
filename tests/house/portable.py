"""Reads the capture browser's source for what only some systems know. Annotators have Windows and macOS, too."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

BRANCHES = {
    "folders.py": "where a person's data and caches are kept",
    "chromium.py": "where browsers are installed",
    "chromium_fetch.py": "what can be fetched for Linux; the name of Node; who is root",
    "browser_process.py": "how a browser is kept apart from Ctrl-C in the terminal",
    "about_recorder.py": "the name of the system, for the log",
    "checkup_machine.py": "how a display is found, what to install",
    "checkup_server.py": "what to install",
}
"""The files that may ask which system this is, and what for."""
GUARDED = {
    ("checkup_machine.py", "/proc/net/unix"): "the sockets of X servers",
    ("checkup_machine.py", "/tmp/.X11-unix/X"): "where an X server puts its socket",
}
"""Places of one system that are looked at where they are there, and what for."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MODULES = _words("crypt fcntl grp nis posix pty pwd resource spwd syslog termios tty")
NAMES = {
    "os": _words(
        """chown chroot confstr fchmod fchown fdatasync fork forkpty fstatvfs getegid geteuid getgid getgroups
        getloadavg getpgid getpgrp getpriority getsid getuid initgroups kill killpg lchmod lchown lockf mkfifo
        mknod nice openpty posix_fadvise posix_fallocate posix_spawn pread pwrite rename sched_getaffinity
        sched_yield sendfile setegid seteuid setgid setpgid setpriority setsid setuid statvfs symlink sync sysconf
        tcgetpgrp ttyname uname wait wait3 wait4 waitid WNOHANG O_CLOEXEC O_DIRECTORY O_DIRECT O_DSYNC O_NOATIME
        O_NOCTTY O_NOFOLLOW O_NONBLOCK O_PATH O_RSYNC O_SYNC O_TMPFILE"""
    ),
    "signal": _words(
        """SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 SIGWINCH alarm
        getitimer pause pthread_kill pthread_sigmask setitimer sigpending sigwait"""
    ),
    "socket": _words("AF_UNIX SO_REUSEPORT socketpair"),
    "asyncio": _words("open_unix_connection start_unix_server get_child_watcher"),
    "time": _words("tzset clock_gettime pthread_getcpuclockid"),
}
"""What a module has on some systems only. `os.rename` is everywhere, but on Windows not onto a file that is there."""
METHODS = _words(
    "add_signal_handler hardlink_to num_fds readlink rename rlimit symlink_to uids lchmod connect_write_pipe"
)
KEYWORDS = _words("extra_groups group pass_fds preexec_fn process_group start_new_session umask user")
"""Arguments of `subprocess` that Windows refuses or passes over."""
_PLACES = re.compile(r"/(bin|dev|etc|home|opt|proc|root|run|sys|tmp|usr|var)(/|$)")
_SYSTEM = {("sys", "platform"), ("os", "name"), ("platform", "system")}
_STARTERS = _words("Popen run check_call check_output create_subprocess_exec call")


def breaches(package: Path) -> list[str]:
    """Return what in a package runs on some systems only, as `file:line what`."""
    return [
        f"{path.relative_to(package).as_posix()}:{node.lineno} {what}"
        for path in sorted(package.rglob("*.py"))
        for node in _nodes(path)
        for look in _LOOKS
        for what in look(node)
        if (path.name, what.removeprefix("names ")) not in GUARDED
    ]


def branching(package: Path) -> set[str]:
    """Return the files of a package that ask which system this is."""
    return {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in _nodes(path)
        if isinstance(node, ast.Attribute) and (_name(node.value), node.attr) in _SYSTEM
    }


def _nodes(path: Path) -> Iterator[ast.expr | ast.stmt]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and _is_text(node.value)}
    for node in ast.walk(tree):
        # A text that stands alone is a docstring; it may name what it likes.
        if isinstance(node, ast.expr | ast.stmt) and id(node) not in texts:
            yield node


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _imports(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (f"imports {alias.name}" for alias in node.names if alias.name.partition(".")[0] in MODULES)
    if isinstance(node, ast.ImportFrom) and node.module is not None:
        if node.module in MODULES:
            yield f"imports {node.module}"
        yield from (
            f"uses {node.module}.{alias.name}"
            for alias in node.names
            if alias.name in NAMES.get(node.module, frozenset()) or (node.module, alias.name) in _SYSTEM
        )


def _attributes(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute):
        owner = _name(node.value)
        if node.attr in NAMES.get(owner, frozenset()) or (owner not in NAMES and node.attr in METHODS):
            yield f"uses {owner or '...'}.{node.attr}"


def _calls(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.Call):
        return
    called = node.func.attr if isinstance(node.func, ast.Attribute) else _name(node.func)
    given = {keyword.arg or "**" for keyword in node.keywords}
    if called in _STARTERS:
        yield from (f"starts a process with {name}" for name in sorted(KEYWORDS & given))
        if "shell" in given:
            yield "starts a process by a shell"
    # The encoding that is taken where none is named differs from system to system.
    if called in {"read_text", "write_text"} and "encoding" not in given:
        yield f"{called} names no encoding"
    if called in {"open", "fdopen"} and "encoding" not in given and _opens_text(node):
        yield "opens a text and names no encoding"


def _opens_text(call: ast.Call) -> bool:
    modes = [found.value for found in (*call.args, *(keyword.value for keyword in call.keywords))
             if isinstance(found, ast.Constant) and isinstance(found.value, str)]  # fmt: skip
    return any(re.fullmatch(r"[rwax]\+?t?", mode) for mode in modes)


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and _PLACES.match(node.value):
        yield f"names {node.value}"


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


_LOOKS: tuple[Callable[[ast.AST], Iterator[str]], ...] = (_imports, _attributes, _calls, _texts)
