"""`trailbench export`: approved tasks become a release; a release is checked."""

from __future__ import annotations

from pathlib import Path

import click

from browser_capture.cli.json_output import json_option, write_json
from browser_capture.json_records import to_json
from exports.benchmark.pages import Web
from exports.benchmark.reader import find_damage, find_strangers, read_manifest
from exports.benchmark.release_content import newest_moment
from exports.benchmark.writer import write_release
from exports.errors import ReleaseDamaged


@click.group()
def export() -> None:
    """Write and check releases."""


@export.command(epilog="Example: trailbench export release --project demo --name demo-1 --out releases/demo-1")
@click.option(
    "--server",
    "home",
    type=click.Path(path_type=Path),
    envvar="TRAILBENCH_HOME",
    default=Path("trailbench-server"),
    show_default=True,
    help="Home folder of the annotation server.",
)
@click.option("--project", required=True, help="The project whose approved tasks are released.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the release.")
@click.option("--name", required=True, help="What the release is called.")
@click.option("--web", type=click.Choice(["full", "text", "pointers", "none"]), default="full", show_default=True)
@json_option
def release(home: Path, project: str, out: Path, name: str, web: Web, json_to: str | None) -> None:
    """Freeze a project's approved tasks, answers, recordings and pages into a folder.

    The same contents always give the same bytes.
    """
    # Imported here: the server's libraries are slow to load, and checking a release does without them.
    from exports.benchmark.approved_tasks import approved_contents, recorded_pages

    contents = approved_contents(home, project)
    manifest = write_release(
        contents,
        recorded_pages(home),
        out,
        name=name,
        project=project,
        created_at=newest_moment(contents),
        web=web,
    )
    if json_to is not None:
        write_json(json_to, to_json(manifest))
        return
    counts = manifest.counts
    click.echo(
        f"Release {name} ({manifest.release_id[:12]}): {counts['tasks']} tasks, {counts['answers']} answers, "
        f"{counts['trajectories']} recordings, {counts['pages']} pages in {out}"
    )
    click.echo(f"Next: trailbench eval run --release {out} --agent replay-human --out runs/{name}")


@export.command(epilog="Example: trailbench export verify releases/demo-1")
@click.argument("folder", type=click.Path(path_type=Path))
@json_option
def verify(folder: Path, json_to: str | None) -> None:
    """Check every file of a release against its manifest. Exit code 4 when one is missing or was changed."""
    manifest = read_manifest(folder)
    damage, strangers = find_damage(folder, manifest), find_strangers(folder, manifest)
    if json_to is not None:
        found = {"release_id": manifest.release_id, "sound": not damage, "damage": damage, "strangers": strangers}
        write_json(json_to, found)
    else:
        for path in strangers:
            click.echo(f"Not part of the release: {path}")
        for problem in damage:
            click.echo(f"Damaged: {problem}")
    if damage:
        raise ReleaseDamaged(f"{len(damage)} files of {folder} are not as the manifest says; export or fetch it again")
    if json_to is None:
        click.echo(f"Release {manifest.name} ({manifest.release_id[:12]}) is sound: {len(manifest.files)} files.")
