"""A Page Digest in, a packed file that answers XPath out, and back."""
