"""A PDF in, its text out: one paragraph per line, a form feed between pages (F9)."""

from __future__ import annotations

from io import BytesIO

from webvigil.errors import DocumentRefused

# Bound the time and memory that one PDF may take.
_MOST_PAGES = 2000
_MOST_TEXT = 10_000_000


def pdf_text(body: bytes) -> str:
    """Returns the text of a PDF. Raises DocumentRefused if the PDF is damaged, encrypted or too long, or if
    pypdf is not installed."""
    import logging

    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ModuleNotFoundError as error:
        raise DocumentRefused("PDF cannot be read here; pip install 'webvigil[pdf]'") from error
    # pypdf logs a warning for each flaw of a file, and real files have many.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(BytesIO(body))
        if reader.is_encrypted and not reader.decrypt(""):
            raise DocumentRefused("the PDF is encrypted")
        return _joined(reader)
    except (PyPdfError, *_DAMAGE) as error:
        raise DocumentRefused(f"the PDF cannot be read: {error or type(error).__name__}") from error


# Errors that pypdf raises for damaged files, besides its own class of errors.
_DAMAGE = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    RecursionError,
    ArithmeticError,
    OSError,
)


def _joined(reader: object) -> str:
    texts: list[str] = []
    size = 0
    for number, page in enumerate(reader.pages):  # type: ignore[attr-defined]
        if number >= _MOST_PAGES or size > _MOST_TEXT:
            raise DocumentRefused(f"the PDF has more than {_MOST_PAGES:,} pages or too much text")
        text = str(page.extract_text())
        size += len(text)
        texts.append("\n".join(line.rstrip() for line in text.splitlines()))
    return "\f".join(texts)
