"""A Home Assistant of its own, as a program: connected to a broker, asked and told by lines of JSON.

    PYTHON home_assistant.py FOLDER PORT

Runs with a Python that has Home Assistant, not with that of this project. A line `{"press": UNIQUE_ID}`
presses a button; every line is answered by what it knows: its devices, and its entities by their unique
identity.
"""

import asyncio
import json
import socket
import sys
from pathlib import Path
from typing import Any

from homeassistant import auth, bootstrap, config_entries, core, loader, setup
from homeassistant.helpers import device_registry, entity_registry


async def started(folder: Path, port: int) -> core.HomeAssistant:
    """Its core, with the integration for MQTT set up as people do it in its dialogue."""
    (folder / "configuration.yaml").touch()
    hass = core.HomeAssistant(str(folder))
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [], [])
    hass.config.skip_pip = True
    with socket.create_server(("127.0.0.1", 0)) as free:
        web = {"http": {"server_host": ["127.0.0.1"], "server_port": free.getsockname()[1]}}
    assert await setup.async_setup_component(hass, "http", web)
    await hass.async_start()
    flow = await hass.config_entries.flow.async_init("mqtt", context={"source": "user"})
    flow = await hass.config_entries.flow.async_configure(
        flow["flow_id"], {"broker": "127.0.0.1", "port": port}
    )
    assert flow["type"] == "create_entry", flow
    await hass.async_block_till_done()
    return hass


def known(hass: core.HomeAssistant) -> dict[str, Any]:
    devices = device_registry.async_get(hass).devices.values()
    entities = {}
    for one in entity_registry.async_get(hass).entities.values():
        state = hass.states.get(one.entity_id)
        entities[one.unique_id] = {
            "id": one.entity_id,
            "name": one.original_name,
            "state": None if state is None else state.state,
            "attributes": {}
            if state is None
            else {key: str(value) for key, value in state.attributes.items()},
        }
    return {
        "devices": [[one.name, one.manufacturer, one.sw_version] for one in devices],
        "entities": entities,
    }


def tell(hass: core.HomeAssistant) -> None:
    sys.stdout.write(json.dumps(known(hass)) + "\n")
    sys.stdout.flush()


async def main() -> None:
    """Answer each line until there are no more."""
    hass = await started(Path(sys.argv[1]), int(sys.argv[2]))
    tell(hass)
    while line := await asyncio.to_thread(sys.stdin.readline):
        told = json.loads(line)
        if "press" in told:
            entity = entity_registry.async_get(hass).async_get_entity_id("button", "mqtt", told["press"])
            await hass.services.async_call("button", "press", {"entity_id": entity}, blocking=True)
        await hass.async_block_till_done(wait_background_tasks=False)
        tell(hass)
    await hass.async_stop(force=True)


if __name__ == "__main__":
    asyncio.run(main())
