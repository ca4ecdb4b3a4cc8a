"""The bytes of a page in, a Page Digest and the objects in it out."""

from webvigil.document.containers import Kind
from webvigil.document.digest import PageDigest
from webvigil.document.read import read

__all__ = ["Kind", "PageDigest", "read"]
