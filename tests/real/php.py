"""PHP with the extensions that applications need, as a command."""

from __future__ import annotations

from pathlib import Path

from tests.real.installing import Debian

PACKAGES = ("php-cli", "php-cgi", "php-sqlite3", "php-mbstring", "php-xml", "php-intl", "php-gd", "php-curl")
"""php-cgi is named because without it Debian would install a whole web server beside PHP."""
# In an order in which each finds what it needs.
_EXTENSIONS = (
    *("calendar", "ctype", "curl", "dom", "exif", "fileinfo", "gd", "iconv", "intl", "mbstring", "pdo"),
    *("pdo_sqlite", "phar", "posix", "simplexml", "sqlite3", "tokenizer", "xml", "xmlreader", "xmlwriter"),
)


def php(folder: Path, **settings: str | Path) -> tuple[str, ...]:
    """Returns the command that starts PHP; its settings are kept in the folder."""
    debian = Debian(*PACKAGES)
    modules = debian.path("usr/lib/php/20*/mbstring.so").parent
    there = [name for name in _EXTENSIONS if (modules / f"{name}.so").exists()]
    lines = [
        f'extension_dir = "{modules}"',
        *(f"extension = {name}" for name in there),
        "date.timezone = UTC",
        "memory_limit = 512M",
        "max_execution_time = 120",
        f'session.save_path = "{folder}"',
        *(f'{name} = "{value}"' for name, value in settings.items()),
    ]
    (folder / "php.ini").write_text("\n".join(lines) + "\n")
    return str(debian.path("usr/bin/php8*", "usr/bin/php")), "-c", str(folder / "php.ini")


def libraries() -> dict[str, str]:
    return {"LD_LIBRARY_PATH": Debian(*PACKAGES).libraries, "PHP_CLI_SERVER_WORKERS": "3"}
