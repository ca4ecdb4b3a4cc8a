from hypothesis import settings

from tests.site.fixture import another_site, site

__all__ = ["another_site", "site"]

# A busy machine is no mistake of ours.
settings.register_profile("webvigil", deadline=None)
settings.load_profile("webvigil")
