"""Errors of the export floor. The class says who acts next; the message says what was found and what to do.

browser_capture.errors.TrailbenchError
├── UserError                 exit 2
│   ├── ReleaseNotFound       no release at this place, or one of a form we cannot read
│   ├── ReleaseRefused        the release cannot be written as asked
│   ├── UnknownAgent          no agent of this name, or a setting it needs is missing
│   ├── UnknownTask           the release holds no such task
│   ├── RunFolderTaken        the output folder belongs to something else
│   └── AgentFailed           the agent itself broke: the attempt scores 0 and stays in the denominator
├── IncompleteError           exit 3
│   └── RunIncomplete         attempts are missing because the infrastructure failed
└── CheckFailed               exit 4
    └── ReleaseDamaged        a file of the release is missing or was changed
"""

from __future__ import annotations

from browser_capture.errors import CheckFailed, IncompleteError, UserError


class ReleaseNotFound(UserError):
    """When a folder holds no release that can be read."""


class ReleaseRefused(UserError):
    """When a release cannot be written as asked: nothing to write, or the folder holds something else."""


class UnknownAgent(UserError):
    """When an agent is asked for that does not exist, or that lacks a setting it needs."""


class UnknownTask(UserError):
    """When a task is asked for that the release does not hold."""


class RunFolderTaken(UserError):
    """When the output folder of a run holds something else, or a run of another set-up."""


class AgentFailed(UserError):
    """When an agent broke by its own fault. Its attempt scores 0; anything unexplained is not this error."""


class RunIncomplete(IncompleteError):
    """When a run ended with attempts that the infrastructure failed; the same command tries them again."""


class ReleaseDamaged(CheckFailed):
    """When a release does not hold what its manifest says; the message names the files."""
