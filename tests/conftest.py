from tests.site.fixture import another_site, site

__all__ = ["another_site", "site"]
