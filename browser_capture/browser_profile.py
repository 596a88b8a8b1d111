"""Prepares a browser profile that belongs to recordings alone: Google as engine, nothing that remembers or suggests.

It is deleted once its recording is uploaded. Without its preferences, Debian's Chromium asks DuckDuckGo from the
address bar.
"""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path
from typing import Any

from browser_capture.folders import make_private

log = logging.getLogger(__name__)

_GOOGLE = {
    "short_name": "Google",
    "keyword": "google.com",
    "url": "{google:baseURL}search?q={searchTerms}",
    "suggestions_url": "",
    "favicon_url": "",
    "safe_for_autoreplace": False,
    "input_encodings": ["UTF-8"],
    "is_active": 1,
}
PREFERENCES: dict[str, Any] = {
    "default_search_provider_data": {"template_url_data": _GOOGLE},
    "default_search_provider": {"enabled": True},
    "search": {"suggest_enabled": False},
    "credentials_enable_service": False,
    "credentials_enable_autosignin": False,
    "profile": {"password_manager_enabled": False, "exit_type": "Normal", "exited_cleanly": True},
    "autofill": {"profile_enabled": False, "credit_card_enabled": False},
    "translate": {"enabled": False},
    # Without the second, the browser allows it again at its start.
    "signin": {"allowed": False, "allowed_on_next_startup": False},
    "session": {"restore_on_startup": 5},
    "browser": {"has_seen_welcome_page": True, "check_default_browser": False},
    "net": {"network_prediction_options": 2},
}


def prepare_profile(folder: Path) -> Path:
    """Make or refresh a profile for one start of the browser, and return its folder.

    What else the browser keeps in it stays. Preferences that cannot be read are written anew.
    """
    make_private(folder)
    (folder / "DevToolsActivePort").unlink(missing_ok=True)
    path = folder / "Default" / "Preferences"
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = _read(path)
    _merge(kept, PREFERENCES)
    path.write_text(json.dumps(kept), encoding="utf-8")
    return folder


def wipe_profile(folder: Path) -> None:
    """Delete a profile whose recording is at the server and whose browser is gone: cookies, history, what was typed.

    What cannot be deleted yet is said in the log; the next wipe tries again.
    """
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        log.warning("the capture profile in %s could not be deleted whole", folder)


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        log.warning("preferences of the capture profile are damaged and are written anew: %s", error)
        return {}
    return found if isinstance(found, dict) else {}


def _merge(into: dict[str, Any], settings: dict[str, Any]) -> None:
    for key, value in settings.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = json.loads(json.dumps(value))
