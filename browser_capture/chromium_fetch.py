"""Ways to get a browser where there is none, tried in order, and the check that Playwright's driver runs at all.

Each step returns one short sentence of what became of it; whether a browser is there now is for the caller to look up.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from browser_capture.errors import BrowserNotFound
from browser_capture.folders import cache_folder

HEADLESS_SHELL = "@sparticuz/chromium@147.0.0"
NODE_VARIABLE = "PLAYWRIGHT_NODEJS_PATH"
_LEAST_NODE = 20
_FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><dir>/usr/share/fonts</dir><cachedir>{folder}/cache</cachedir></fontconfig>
"""
# The package holds its files compressed; Node's own zlib knows brotli, the standard library of Python does not.
_UNPACK = """
const fs = require('fs'), zlib = require('zlib'), path = require('path');
const [from, to] = process.argv.slice(1);
for (const name of fs.readdirSync(from).filter(name => name.endsWith('.br')))
  fs.writeFileSync(path.join(to, name.slice(0, -3)), zlib.brotliDecompressSync(fs.readFileSync(path.join(from, name))));
"""


def install_with_apt() -> str:
    """Install Debian's or Ubuntu's Chromium, where this is allowed."""
    if not _may_use_apt():
        return "apt-get is for root on Debian and Ubuntu"
    return _apt("chromium")


def install_with_playwright() -> str:
    """Ask Playwright for its own build."""
    return _run("playwright install", [sys.executable, "-m", "playwright", "install", "chromium"], seconds=300)


def install_headless_shell() -> str:
    """Fetch a headless shell from the npm registry: enough for tests and the demo, not for a person."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None or not sys.platform.startswith("linux"):
        return "npm is not installed" if sys.platform.startswith("linux") else "the headless shell is for Linux"
    folder = headless_shell_folder()
    parts, package = folder / "parts", folder / "npm"
    parts.mkdir(parents=True, exist_ok=True)
    said = _run(
        "npm install",
        [npm, "install", "--prefix", str(package), "--ignore-scripts", "--no-audit", "--no-fund", HEADLESS_SHELL],
        seconds=300,
    )
    packed = package / "node_modules" / "@sparticuz" / "chromium" / "bin"
    if not packed.is_dir():
        return said
    said = _run("unpacking the headless shell", [node, "-e", _UNPACK, str(packed), str(parts)], seconds=120)
    if (parts / "chromium").is_file():
        _lay_out(parts, folder)
        shutil.rmtree(package)
    return said


STEPS: Sequence[Callable[[], str]] = (install_with_apt, install_with_playwright, install_headless_shell)


def headless_shell_folder() -> Path:
    """Return where the fetched headless shell stands, or would."""
    return cache_folder() / "headless-shell"


def shell_environment(folder: Path) -> dict[str, str]:
    """Return what the headless shell needs: its libraries, and fonts, without which pages have no text at all."""
    return {"LD_LIBRARY_PATH": str(folder / "lib"), "FONTCONFIG_FILE": str(folder / "fonts.conf")}


def driver_environment(*, cure: bool = False) -> Mapping[str, str]:
    """Return what Playwright's driver needs to run here; with `cure`, install what it lacks where that is allowed.

    Its bundled Node needs a library that a bare system lacks; another Node can stand in. Raises BrowserNotFound, with
    the cure, when neither runs.
    """
    if os.environ.get(NODE_VARIABLE) or _runs(_bundled_node()):
        return {}
    if cure and _may_use_apt():
        said = _apt("libatomic1")
        if _runs(_bundled_node()):
            return {}
        raise BrowserNotFound(f"Playwright's driver does not run here even with libatomic1 ({said})")
    node = shutil.which("node")
    if node is not None and _node_version(node) >= _LEAST_NODE:
        return {NODE_VARIABLE: node}
    raise BrowserNotFound(
        "Playwright's driver does not run here: most often the library libatomic.so.1 is missing "
        f"(Debian: apt-get install libatomic1); or set {NODE_VARIABLE} to a Node of version {_LEAST_NODE} or newer"
    )


def is_root() -> bool:
    """Tell whether this process is root; never on Windows."""
    user_id = getattr(os, "geteuid", None)
    return user_id is not None and user_id() == 0


def _lay_out(parts: Path, folder: Path) -> None:
    for name in ("al2023.tar", "swiftshader.tar", "fonts.tar"):
        if (parts / name).is_file():
            with tarfile.open(parts / name) as archive:
                archive.extractall(folder, filter="data")
    (folder / "fonts.conf").write_text(_FONTS.format(folder=folder / "fonts"), encoding="utf-8")
    program = folder / "chromium"
    # Moved in as the last step: a half-made folder is never taken for a browser.
    os.replace(parts / "chromium", program)
    program.chmod(0o755)
    shutil.rmtree(parts)


def _may_use_apt() -> bool:
    return is_root() and shutil.which("apt-get") is not None


def _apt(package: str) -> str:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    _run("apt-get update", ["apt-get", "update", "-qq"], seconds=120, environment=environment)
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", package]
    return _run(f"apt-get install {package}", command, seconds=600, environment=environment)


def _run(what: str, command: Sequence[str], *, seconds: int, environment: Mapping[str, str] | None = None) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - the commands stand in this file
            command, capture_output=True, text=True, timeout=seconds, env=environment, check=False, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return f"{what} took more than {seconds} seconds"
    except OSError as error:
        return f"{what} could not be started: {error}"
    if done.returncode == 0:
        return f"{what} is done"
    lines = [line.strip() for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
    reasons = [line for line in lines if re.search(r"error|unable|failed|cannot", line, re.IGNORECASE)]
    return f"{what} failed: {' '.join((reasons or lines)[-1:])[:200]}"


def _bundled_node() -> str:
    spec = importlib.util.find_spec("playwright")
    folders = list(spec.submodule_search_locations or []) if spec else []
    name = "node.exe" if sys.platform == "win32" else "node"
    return str(Path(folders[0], "driver", name)) if folders else name


def _runs(node: str) -> bool:
    return _node_version(node) > 0


def _node_version(node: str) -> int:
    try:
        done = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return 0
    major = done.stdout.strip().removeprefix("v").partition(".")[0]
    return int(major) if done.returncode == 0 and major.isdecimal() else 0
