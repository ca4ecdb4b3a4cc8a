"""The bytes of a page in, a Page Digest and the objects in it out."""
