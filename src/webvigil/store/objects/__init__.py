"""Object stores: bytes by key, in a directory, an S3-compatible bucket, or memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webvigil.errors import SettingRefused

if TYPE_CHECKING:
    from webvigil.store.promises import Objects


def open_objects(url: str) -> Objects:
    """Opens the object store at `s3://BUCKET[/PREFIX][?endpoint=URL]`, or in a directory. Raises
    SettingRefused for other addresses."""
    if url.startswith("s3://"):
        from webvigil.store.objects.bucket import Bucket

        return Bucket(url)
    if "://" in url and not url.startswith("file://"):
        raise SettingRefused(f"{url!r} is no object store we know; use a directory or s3://BUCKET")
    from webvigil.store.objects.directory import Directory

    return Directory(url.removeprefix("file://"))
