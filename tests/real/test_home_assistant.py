"""The sensors in the documentation work in Home Assistant itself, against a running server."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.docs.test_other_programs import PAGE
from tests.real.installing import CannotInstall, python
from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json

pytestmark = pytest.mark.real


@pytest.fixture(scope="session")
def programs() -> Path:
    try:
        # The newest version for this Python, with what its integration for REST asks for.
        return python("home-assistant", "homeassistant", "jsonpath==0.82.2", "xmltodict==0.13.0")
    except CannotInstall as error:
        pytest.skip(str(error))


def test_home_assistant_shows_what_was_found(programs: Path, tmp_path: Path):
    data, folder = tmp_path / "data", tmp_path / "config"
    folder.mkdir()
    with Site() as site, Serving(data) as server:
        page = site.page("/lamp", '<h1>Lamp</h1><p class="price">59 €</p>')
        text = f'Create Sentinel lamp Using {page.url} Monitor value css ".price" Fetch 1 second'
        assert webvigil("add", "-", "--data", str(data), text=text).returncode == 0
        page.wait_for(hits=1)
        page.becomes('<h1>Lamp</h1><p class="price">49 €</p>')
        eventually(lambda: webvigil_json("changes", "--data", str(data)))
        token = webvigil("token", "add", "home", "--scope", "read", "--data", str(data)).stdout.strip()
        rest, secrets = (
            next(one for one in blocks() if one.startswith(word)) for word in ("rest:", "webvigil:")
        )
        rest = rest.replace("https://vigil.example", server.address)
        (folder / "configuration.yaml").write_text(rest, encoding="utf-8")
        (folder / "secrets.yaml").write_text(secrets.replace("wv_…", token), encoding="utf-8")
        script = Path(__file__).with_name("hass_once.py")
        done = subprocess.run(
            [programs / "python", script, folder], capture_output=True, text=True, timeout=180, check=False
        )
    assert done.returncode == 0, done.stderr
    found = {one["name"]: one for one in json.loads(done.stdout.splitlines()[-1])}
    assert found["WebVigil unread"]["state"] == "1"
    assert found["WebVigil unread"]["newest"][0]["sentinel"] == "lamp"
    assert "49" in found["WebVigil newest"]["state"]
    assert found["WebVigil newest"]["link"].startswith(f"{server.address}/changes/")
    assert float(found["Price of the lamp"]["state"]) == 49
    assert found["WebVigil trouble"]["state"] == "off"


def blocks() -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
