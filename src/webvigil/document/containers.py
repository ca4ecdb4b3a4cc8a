"""The arrays and tables of a Page Digest: what every source of them promises, and the one in memory (D1).

The module `digest` describes each container. `stored` has the source that decodes stored bytes on demand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Protocol

from webvigil.document.arrays import Ints

Kind = Literal["html", "xml", "json", "text", "binary"]


class Containers(Protocol):
    """The source of a digest's arrays and tables: memory, or stored bytes that are decoded on demand."""

    @property
    def kind(self) -> Kind: ...
    @property
    def url(self) -> str: ...
    @property
    def count(self) -> int: ...
    @property
    def structure(self) -> Ints: ...
    @property
    def tag_names(self) -> tuple[str, ...]: ...
    @property
    def tags(self) -> Ints: ...
    @property
    def attribute_names(self) -> tuple[str, ...]: ...
    @property
    def attribute_values(self) -> tuple[str, ...]: ...
    @property
    def attribute_node(self) -> Ints: ...
    @property
    def attribute_name(self) -> Ints: ...
    @property
    def attribute_value(self) -> Ints: ...
    @property
    def texts(self) -> tuple[str, ...]: ...
    @property
    def content(self) -> Ints: ...
    @property
    def source_hash(self) -> bytes: ...
    @property
    def pictures(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InMemory:
    """Arrays and tables in memory, as a reader has made them."""

    kind: Kind
    url: str
    structure: Ints
    tag_names: tuple[str, ...]
    tags: Ints
    attribute_names: tuple[str, ...]
    attribute_values: tuple[str, ...]
    attribute_node: Ints
    attribute_name: Ints
    attribute_value: Ints
    texts: tuple[str, ...]
    content: Ints
    source_hash: bytes = b""
    pictures: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def count(self) -> int:
        return len(self.structure)
