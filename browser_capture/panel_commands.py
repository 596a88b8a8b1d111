"""What the panel asks for comes in; the recording, the kept draft and the evidence do it. A table of its commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from browser_capture.errors import WireError
from browser_capture.panel_link import Command
from browser_capture.recording import STOP_SECONDS, Recording
from browser_capture.selection import selected_passage
from browser_capture.sources.wire import WireTab

NOT_RECORDED = "This page is not recorded, so nothing can be marked on it."
NOTHING_SELECTED = "Nothing is selected: select the passage on the page, then mark it."
SHOWN_SECONDS = 1.0


async def obey(recording: Recording, command: Command) -> None:
    """Do what the panel asks; what makes no sense in this state is ignored. Raises WireError and OSError."""
    await _COMMANDS[command.do](recording, command)


async def _hello(recording: Recording, command: Command) -> None:
    recording.known_draft = await asyncio.to_thread(recording.draft.read)
    recording.log.on_change()


async def _mark(recording: Recording, command: Command) -> None:
    recorder = recording.recorder
    recorder.warnings = [text for text in recorder.warnings if text not in {NOT_RECORDED, NOTHING_SELECTED}]
    tab = recorder.active_tab(await _shown(recording)) if recording.log.is_recording else None
    if tab is None:
        recorder.warn(NOT_RECORDED)
        return
    passage = await selected_passage(tab)
    if passage is None:
        recorder.warn(NOTHING_SELECTED)
        return
    recorder.keeper.keep(tab.tab, "mark", only_if_changed=True)
    await recorder.keeper.settle(STOP_SECONDS)
    event = recorder.put_evidence(tab, passage)
    if event is not None:
        recording.log.copied.answer(event.seq, command.ref)


async def _shown(recording: Recording) -> Sequence[str]:
    """Return the tabs that stand in front of their windows; one that does not answer may be one of them."""
    names = tuple(recording.tabs.feeds)
    hidden = await asyncio.gather(*(_is_hidden(recording.tabs.feeds[name].tab) for name in names))
    return [name for name, is_hidden in zip(names, hidden, strict=True) if not is_hidden]


async def _is_hidden(tab: WireTab) -> bool:
    try:
        return bool(await tab.evaluate("() => document.visibilityState", seconds=SHOWN_SECONDS) == "hidden")
    except WireError:
        return False


async def _draft(recording: Recording, command: Command) -> None:
    if command.saved:
        await asyncio.to_thread(recording.draft.drop)
    else:
        await asyncio.to_thread(recording.draft.keep, command.text, command.origins, command.base)
    recording.kept_ref = command.ref


_Obey = Callable[[Recording, Command], Coroutine[Any, Any, None]]
_COMMANDS: Mapping[str, _Obey] = {
    "hello": _hello,
    "start": lambda recording, command: recording.begin(),
    "pause": lambda recording, command: recording.pause(),
    "resume": lambda recording, command: recording.unpause(),
    "stop": lambda recording, command: recording.end("user"),
    "mark": _mark,
    "forget": lambda recording, command: recording.forget(command.minutes),
    "draft": _draft,
}
