"""Knowledge graphs as tasks and answers hold them: nodes with aliases, triples with their sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An entity or a value."""

    node_id: str
    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """A fact between two nodes; `organisational` ones only give the graph its shape."""

    head_id: str
    relation: str
    tail_id: str
    kind: Literal["factual", "organisational"] = "factual"
    stage_ids: tuple[str, ...] = ()
    source_urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """A set of triples over named nodes."""

    nodes: tuple[Node, ...] = ()
    triples: tuple[Triple, ...] = ()
