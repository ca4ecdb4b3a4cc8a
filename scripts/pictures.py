"""Makes the pictures of docs/reference/presentation.md: five pages of the corpus in three presentations.

python scripts/pictures.py   write docs/images/presentations-{light,dark,phone}.png; needs Chromium
"""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from bench.quality.corpus import PAIRS
from webvigil.document import read
from webvigil.present.presentation import Form, How, present

FOLDER = Path(__file__).parents[1] / "docs" / "images"
CHOSEN = (
    "tables/data-row-deleted-and-total",
    "news/article-correction-words",
    "shop/listing-two-cells-updated",
    "shop/gallery-picture-twice",
    "forum/arabic-words",
)
WAYS = (How.SINGLE, How.DUAL, How.ONLY)
GAP = 4
COLOURS = 48
GREY = (136, 134, 150)
Size = tuple[int, int]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        files = list(_written(Path(folder)))
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, scheme, size, shown in (
            ("light", "light", (750, 450), 0.75),
            ("dark", "dark", (750, 450), 0.75),
            ("phone", "light", (380, 675), 0.75),
        ):
            cells = [[_cell(browser, one, scheme, size, shown) for one in row] for row in files]
            # Upright pictures stand in rows of their own way of showing.
            rows = [list(column) for column in zip(*cells, strict=True)] if name == "phone" else cells
            _sheet(rows).save(FOLDER / f"presentations-{name}.png", optimize=True)
        browser.close()


def _written(folder: Path) -> Iterator[list[Path]]:
    """For each page a file for each way of showing it."""
    known = {one.name: one for one in PAIRS}
    for name in CHOSEN:
        pair = known[name]
        old, new = (read(body, pair.content_type, pair.url) for body in (pair.before, pair.after))
        row = [folder / f"{name.replace('/', '-')}-{way}.html" for way in WAYS]
        for file, way in zip(row, WAYS, strict=True):
            file.write_text(present(old, new, way, Form.PAGE), encoding="utf-8")
        yield row


def _cell(browser: Browser, file: Path, scheme: str, size: Size, shown: float) -> Image.Image:
    width, height = size
    window = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": height})  # type: ignore[arg-type]
    window.goto(file.as_uri())
    window.keyboard.press("n")
    window.wait_for_timeout(300)
    picture = Image.open(io.BytesIO(window.screenshot())).convert("RGB")
    window.close()
    return picture.resize((round(width * shown), round(height * shown)), Image.Resampling.LANCZOS)


def _sheet(rows: list[list[Image.Image]]) -> Image.Image:
    width, height = rows[0][0].size
    whole = (len(rows[0]) * (width + GAP) + GAP, len(rows) * (height + GAP) + GAP)
    sheet = Image.new("RGB", whole, GREY)
    for down, row in enumerate(rows):
        for along, one in enumerate(row):
            sheet.paste(one, (GAP + along * (width + GAP), GAP + down * (height + GAP)))
    return sheet.quantize(COLOURS)


if __name__ == "__main__":
    main()
