"""An X display without a screen, with a window manager, for one test run: nothing of it outlives who asked for it.

Run as a script this is the keeper: it starts both, says the display's name, and ends them when its input ends, which it
does even when the test process is killed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SIZE = (1700, 920)
_OPENBOX = """<?xml version="1.0"?><openbox_config xmlns="http://openbox.org/3.4/rc">
<focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
<mouse><context name="Client">
  <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
  <mousebind button="Middle" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
</context></mouse>
<applications><application class="*"><decor>no</decor></application></applications>
</openbox_config>"""


@contextmanager
def a_display() -> Iterator[str]:
    """Give the name of a display of its own, such as `:7`; it is ended when the block is left."""
    keeper = subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert keeper.stdout is not None
    try:
        name = keeper.stdout.readline().strip()
        if not name:
            raise AssertionError(f"no display: {keeper.communicate()[1]}")
        yield name
    finally:
        keeper.communicate(timeout=20)


def keep() -> None:
    """Start the display and its window manager, and end them when nobody listens any more."""
    read, write = os.pipe()
    size = f"{SIZE[0]}x{SIZE[1]}x24"
    # -displayfd: the server chooses a number that is free and says so.
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp", "-noreset"],
        pass_fds=[write],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    started = [server]
    try:
        number = os.fdopen(read).readline().strip()
        if not number:
            return
        with tempfile.TemporaryDirectory() as folder:
            settings = Path(folder, "rc.xml")
            settings.write_text(_OPENBOX, encoding="utf-8")
            manager = subprocess.Popen(
                ["openbox", "--config-file", str(settings), "--sm-disable"],
                env={**os.environ, "DISPLAY": f":{number}"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            started.append(manager)
            print(f":{number}", flush=True)
            sys.stdin.read()
    finally:
        for process in reversed(started):
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()


if __name__ == "__main__":
    keep()
