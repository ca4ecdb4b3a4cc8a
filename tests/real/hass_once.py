"""Run by the Python of Home Assistant: a folder with a configuration in, the states as JSON out."""

from __future__ import annotations

import asyncio
import json
import sys

from homeassistant import bootstrap, config, config_entries, core, loader  # type: ignore[import-not-found]
from homeassistant.setup import async_setup_component  # type: ignore[import-not-found]


async def states(folder: str) -> list[dict[str, object]]:
    hass = core.HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    written = await config.async_hass_config_yaml(hass)
    assert await async_setup_component(hass, "rest", written)
    await hass.async_start()
    await hass.async_block_till_done()
    found = [{"name": one.name, "state": one.state, **one.attributes} for one in hass.states.async_all()]
    await hass.async_stop(force=True)
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(states(sys.argv[1])), default=str) + "\n")
