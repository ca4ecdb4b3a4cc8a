"""Spirit: a forum in Python. Every visitor is signed in, so that all forms that write are there."""

from __future__ import annotations

from pathlib import Path

import httpx2

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import python

_SETTINGS = """
from .dev import *
place = MIDDLEWARE.index("django.contrib.messages.middleware.MessageMiddleware")
MIDDLEWARE.insert(place, "forum.keeper.signed_in")
DEBUG = False
ALLOWED_HOSTS = ["*"]
ST_RATELIMIT_ENABLE = False
"""
_SIGNED_IN = """
from django.contrib.auth import get_user_model

def signed_in(answer):
    def answered(request):
        request.user = get_user_model().objects.get(username="keeper")
        return answer(request)
    return answered
"""
_FILL = """
import django; django.setup()
from django.contrib.auth import get_user_model
from spirit.category.models import Category
get_user_model().objects.create_superuser("keeper", "keeper@harbour.test", "a-long-password-42")
Category.objects.create(title="Ships", description="All about ships")
"""


class Spirit(Application):
    name = "Spirit"
    pages = (
        Page(name="front page", path="/", edited=False),
        Page(name="topic", path="/topic/1/rules-of-the-harbour/"),
        Page(name="categories", path="/category/", edited=False),
        Page(name="category", path="/category/2/uncategorized/", edited=False),
        Page(name="search result", path="/search/?q=harbour", edited=False),
    )
    searches = ((("/search/", "q"),),)
    forms = (
        "/topic/publish/",
        "/topic/update/1/",
        "/topic/private/publish/",
        "/comment/1/publish/",
        "/comment/1/update/",
        "/comment/delete/1/",
        "/comment/flag/1/create/",
        "/topic/moderate/delete/1/",
        "/user/",
        "/st/admin/",
        "/st/admin/category/create/",
        "/st/admin/config/",
        "/st/admin/user/edit/1/",
    )
    content = (
        # A topic counts who has seen it.
        "forum/db.sqlite3#spirit_topic_topic:title+is_removed+is_closed+is_pinned",
        "forum/db.sqlite3#spirit_comment_comment,spirit_category_category,djconfig_config",
        "forum/db.sqlite3#spirit_comment_like_commentlike,spirit_comment_flag_commentflag",
    )

    def install(self) -> None:
        self._programs = python("spirit", "django-spirit[files]", "setuptools<80")

    def start(self, folder: Path) -> str:
        self._folder = folder / "forum"
        path = f"{self._programs}:{self.environment['PATH']}"
        self.run(self._programs / "spirit", "startproject", "forum", cwd=folder, PATH=path)
        (self._folder / "forum/settings/office.py").write_text(_SETTINGS)
        (self._folder / "forum/keeper.py").write_text(_SIGNED_IN)
        self._do("manage.py", "spiritinstall")
        self._do("-c", _FILL)
        port = free_port()
        self._address = self.launch(
            *(self._programs / "python", "manage.py", "runserver", "--noreload", "--insecure"),
            f"127.0.0.1:{port}",
            folder=folder,
            port=port,
            cwd=self._folder,
            **self._way,
        )
        self._publish("Rules of the harbour", HARBOUR)
        self._publish("Bell of the harbour", "It is silent, and nobody in the harbour knows why.")
        self._do("manage.py", "rebuild_index", "--noinput")
        return self._address

    def edit(self) -> None:
        self._post("/comment/1/publish/", {"comment": f"{LANTERN} of the harbour"})

    def _publish(self, title: str, text: str) -> None:
        self._post("/topic/publish/", {"title": title, "category": "2", "comment": text})

    def _post(self, path: str, sent: dict[str, str]) -> None:
        with httpx2.Client(base_url=self._address, timeout=60) as browser:
            browser.get("/topic/publish/")
            token = browser.cookies["csrftoken"]
            answer = browser.post(path, data={**sent, "csrfmiddlewaretoken": token})
            assert answer.status_code == 302, (answer.status_code, answer.text[:2000])

    @property
    def _way(self) -> dict[str, str]:
        return {"DJANGO_SETTINGS_MODULE": "forum.settings.office", "PYTHONPATH": str(self._folder)}

    def _do(self, *command: str) -> None:
        self.run(self._programs / "python", *command, cwd=self._folder, **self._way)
