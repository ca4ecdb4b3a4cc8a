"""An object store in an S3-compatible bucket: `s3://BUCKET[/PREFIX][?endpoint=URL&region=R]`.

Credentials come from the environment as for every S3 tool (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY …).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from webvigil.errors import ObjectMissing, SettingRefused, StoreBusy
from webvigil.store.objects.keys import is_key, refuse_other

if TYPE_CHECKING:
    from obstore.store import S3Store


class Bucket:
    distant = True

    def __init__(self, url: str) -> None:
        try:
            import obstore
        except ModuleNotFoundError as error:
            raise SettingRefused("S3 needs the extra 's3': pip install 'webvigil[s3]'") from error
        self._obstore = obstore
        self._store = _store(url)

    def put(self, key: str, content: bytes, *, lasting: bool = True) -> None:
        refuse_other(key)
        try:
            self._obstore.put(self._store, key, content)
        except self._obstore.exceptions.BaseError as error:
            raise StoreBusy(f"object {key} could not be written: {error}") from error

    def succeed(self, key: str, content: bytes, *, old: str) -> None:
        self.put(key, content, lasting=False)
        self.delete([old])

    def get(self, key: str) -> bytes:
        if not is_key(key):
            raise ObjectMissing(f"there is no object {key[:100]!r}")
        try:
            return bytes(self._obstore.get(self._store, key).bytes())
        except FileNotFoundError:
            raise ObjectMissing(f"object {key} is missing") from None
        except self._obstore.exceptions.BaseError as error:
            raise StoreBusy(f"object {key} could not be read: {error}") from error

    def has(self, key: str) -> bool:
        if not is_key(key):
            return False
        try:
            self._obstore.head(self._store, key)
        except FileNotFoundError:
            return False
        return True

    def delete(self, keys: Iterable[str]) -> None:
        wanted = [key for key in keys if is_key(key)]
        if wanted:
            try:
                self._obstore.delete(self._store, wanted)
            except FileNotFoundError:
                pass
            except self._obstore.exceptions.BaseError as error:
                raise StoreBusy(f"objects could not be removed: {error}") from error

    def keys(self) -> Iterator[str]:
        return (key for key, _ in self.aged())

    def aged(self) -> Iterator[tuple[str, datetime]]:
        try:
            for batch in self._obstore.list(self._store):
                for entry in batch:
                    if is_key(entry["path"]):
                        yield entry["path"], entry["last_modified"]
        except self._obstore.exceptions.BaseError as error:
            raise StoreBusy(f"the objects could not be listed: {error}") from error


def _store(url: str) -> S3Store:
    """Opens the bucket of the address."""
    from obstore.store import S3Store

    parts = urlsplit(url)
    if not parts.netloc:
        raise SettingRefused(f"{url!r} names no bucket; write s3://BUCKET[/PREFIX][?endpoint=URL]")
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    endpoint = options.get("endpoint") or os.environ.get("AWS_ENDPOINT_URL")
    return S3Store(
        parts.netloc,
        prefix=parts.path.strip("/") or None,
        endpoint=endpoint,
        region=options.get("region") or os.environ.get("AWS_REGION", "us-east-1"),
        # Stores other than AWS mostly have no host name for each bucket, so the bucket is part of the path
        # there.
        virtual_hosted_style_request=endpoint is None,
        client_options={"allow_http": bool(endpoint and endpoint.startswith("http://"))},
    )
