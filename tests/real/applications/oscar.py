"""Oscar: a shop in Python, with a basket, reviews, wish lists and orders."""

from __future__ import annotations

from pathlib import Path

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import python

_SETTINGS = """
from oscar.defaults import *
SECRET_KEY = "a-long-secret-for-42"
DEBUG = True
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "shop_urls"
SITE_ID = 1
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "shop.sqlite3"}}
DATABASES["default"]["ATOMIC_REQUESTS"] = True
INSTALLED_APPS = [
    "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
    "django.contrib.messages", "django.contrib.staticfiles", "django.contrib.sites",
    "django.contrib.flatpages",
    "oscar.config.Shop", "oscar.apps.analytics.apps.AnalyticsConfig",
    "oscar.apps.checkout.apps.CheckoutConfig",
    "oscar.apps.address.apps.AddressConfig", "oscar.apps.shipping.apps.ShippingConfig",
    "oscar.apps.catalogue.apps.CatalogueConfig",
    "oscar.apps.catalogue.reviews.apps.CatalogueReviewsConfig",
    "oscar.apps.communication.apps.CommunicationConfig", "oscar.apps.partner.apps.PartnerConfig",
    "oscar.apps.basket.apps.BasketConfig", "oscar.apps.payment.apps.PaymentConfig",
    "oscar.apps.offer.apps.OfferConfig", "oscar.apps.order.apps.OrderConfig",
    "oscar.apps.customer.apps.CustomerConfig", "oscar.apps.search.apps.SearchConfig",
    "oscar.apps.voucher.apps.VoucherConfig", "oscar.apps.wishlists.apps.WishlistsConfig",
    "oscar.apps.dashboard.apps.DashboardConfig", "oscar.apps.dashboard.reports.apps.ReportsDashboardConfig",
    "oscar.apps.dashboard.users.apps.UsersDashboardConfig",
    "oscar.apps.dashboard.orders.apps.OrdersDashboardConfig",
    "oscar.apps.dashboard.catalogue.apps.CatalogueDashboardConfig",
    "oscar.apps.dashboard.offers.apps.OffersDashboardConfig",
    "oscar.apps.dashboard.partners.apps.PartnersDashboardConfig",
    "oscar.apps.dashboard.pages.apps.PagesDashboardConfig",
    "oscar.apps.dashboard.ranges.apps.RangesDashboardConfig",
    "oscar.apps.dashboard.reviews.apps.ReviewsDashboardConfig",
    "oscar.apps.dashboard.vouchers.apps.VouchersDashboardConfig",
    "oscar.apps.dashboard.communications.apps.CommunicationsDashboardConfig",
    "oscar.apps.dashboard.shipping.apps.ShippingDashboardConfig",
    "widget_tweaks", "haystack", "treebeard", "sorl.thumbnail", "django_tables2",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware", "oscar.apps.basket.middleware.BasketMiddleware",
]
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
    "OPTIONS": {"context_processors": [
        "django.template.context_processors.debug", "django.template.context_processors.request",
        "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages",
        "django.template.context_processors.i18n", "oscar.apps.search.context_processors.search_form",
        "oscar.apps.checkout.context_processors.checkout",
        "oscar.apps.communication.notifications.context_processors.notifications",
        "oscar.core.context_processors.metadata",
    ]},
}]
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
STATIC_URL = "/static/"
MEDIA_URL = "/media/"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
USE_TZ = True
OSCAR_SHOP_NAME = "Harbour shop"
OSCAR_DEFAULT_CURRENCY = "EUR"
OSCAR_ALLOW_ANON_CHECKOUT = True
OSCAR_ALLOW_ANON_REVIEWS = True
"""
_URLS = """
from django.apps import apps
from django.urls import include, path
shop = apps.get_app_config("oscar").urls[0]
urlpatterns = [path("i18n/", include("django.conf.urls.i18n")), path("", include(shop))]
"""
_FILL = """
import django; django.setup()
from decimal import Decimal
from oscar.core.loading import get_model
Country, Partner = get_model("address", "Country"), get_model("partner", "Partner")
Product, Kind = get_model("catalogue", "Product"), get_model("catalogue", "ProductClass")
Category, Stock = get_model("catalogue", "Category"), get_model("partner", "StockRecord")
Country.objects.create(iso_3166_1_a2="DE", printable_name="Germany", name="Germany", is_shipping_country=True)
kind, partner = Kind.objects.create(name="Goods"), Partner.objects.create(name="Chandler")
shelf = Category.add_root(name="Lamps")
for number, (title, text) in enumerate(GOODS):
    one = Product.objects.create(title=title, description=text, product_class=kind, upc=str(number))
    one.categories.add(shelf)
    about = {"partner_sku": str(number), "price": Decimal("9.50"), "num_in_stock": 9}
    Stock.objects.create(product=one, partner=partner, **about)
"""
_EDIT = """
import django; django.setup()
from oscar.core.loading import get_model
get_model("catalogue", "Product").objects.filter(upc="0").update(title=TITLE, description=TITLE)
"""


_STOCK = """
import django; django.setup()
from oscar.core.loading import get_model
get_model("partner", "StockRecord").objects.update(price=PRICE, num_in_stock=COUNT)
"""


class Oscar(Application):
    name = "Oscar"
    pages = (
        Page(name="front page", path="/catalogue/", edited=False),
        Page(name="category", path="/catalogue/category/lamps_1/", edited=False),
        Page(name="product", path="/catalogue/harbour-lamp_1/"),
        Page(name="search result", path="/search/?q=lamp", edited=False),
        Page(name="log-in", path="/accounts/login/", edited=False),
    )
    searches = ((("/search/", "q"),),)
    forms = (
        "/catalogue/harbour-lamp_1/",
        "/catalogue/harbour-lamp_1/reviews/add/",
        "/basket/",
        "/accounts/login/",
        "/checkout/",
    )
    content = (
        "shop.sqlite3#basket_line,order_order,reviews_productreview,auth_user,wishlists_wishlist,catalogue_product",
    )

    def install(self) -> None:
        self._programs = python("oscar", "django-oscar[sorl-thumbnail]", "setuptools<80")

    def start(self, folder: Path) -> str:
        self._folder = folder
        (folder / "shop_settings.py").write_text(_SETTINGS)
        (folder / "shop_urls.py").write_text(_URLS)
        goods = [
            ("Harbour lamp", f"{HARBOUR}."),
            ("Harbour bell", "It rings in the fog of the harbour."),
            ("Rope of the harbour", "Twelve fathoms."),
        ]
        self._do("-m", "django", "migrate", "--verbosity", "0")
        self._do("-c", f"GOODS = {goods!r}\n{_FILL}")
        port = free_port()
        return self.launch(
            *(self._programs / "python", "-m", "django", "runserver", "--noreload", f"127.0.0.1:{port}"),
            folder=folder,
            port=port,
            path="/catalogue/",
            **self._way,
        )

    def edit(self) -> None:
        self._do("-c", f"TITLE = {LANTERN!r}\n{_EDIT}")

    def stocks(self, *, price: str, count: int) -> None:
        """Changes price and stock of all goods, as the staff of the shop does."""
        self._do("-c", f"PRICE, COUNT = {price!r}, {count}\n{_STOCK}")

    @property
    def _way(self) -> dict[str, str]:
        return {"DJANGO_SETTINGS_MODULE": "shop_settings", "PYTHONPATH": str(self._folder)}

    def _do(self, *command: str) -> None:
        self.run(self._programs / "python", *command, cwd=self._folder, **self._way)
