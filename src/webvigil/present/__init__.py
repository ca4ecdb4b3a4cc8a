"""Two versions of a page and their findings in, a presentation out: HTML, text or Markdown."""
