"""A data folder of changedetection.io with many watches: FOLDER and how many in, its API key and one id out.

Run in its own environment, so nothing of ours is imported. All are paused: nothing is fetched meanwhile.
"""

import json
import os
import sys

os.environ["LOGGER_LEVEL"] = "CRITICAL"

from changedetectionio.store import ChangeDetectionStore
from loguru import logger


def main(folder: str, count: int) -> None:
    logger.remove()
    store = ChangeDetectionStore(datastore_path=folder, include_default_watches=False)
    for number in range(count):
        extras = {"paused": True, "title": f"s{number}"}
        uuid = store.add_watch(url=f"https://h{number % 200}.test/{number}", extras=extras)
    key = store.data["settings"]["application"]["api_access_token"]
    store.commit()
    print(json.dumps({"key": key, "one": uuid}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
