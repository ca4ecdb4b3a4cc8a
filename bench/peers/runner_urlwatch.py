"""urlwatch as a runner: a line of JSON in, `{"urls": […], "filter": …}`, a line of JSON out.

Run in urlwatch's own environment, so nothing of ours is imported.
"""

import json
import logging
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

from urlwatch.handler import Report
from urlwatch.jobs import UrlJob
from urlwatch.storage import DEFAULT_CONFIG, CacheMiniDBStorage
from urlwatch.worker import run_jobs


def main() -> None:
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        cache = CacheMiniDBStorage(str(Path(folder) / "cache.db"))
        for line in sys.stdin:
            print(json.dumps(look(cache, **json.loads(line))), flush=True)
        cache.close()


def look(cache, urls, text):
    jobs = [UrlJob(url=url, **({"filter": ["html2text"]} if text else {})) for url in urls]
    config = SimpleNamespace(config=DEFAULT_CONFIG)
    report = Report(SimpleNamespace(config_storage=config))
    program = SimpleNamespace(
        urlwatch_config=SimpleNamespace(tags=[], idx_set=set(), joblist=[]),
        should_run=lambda index, job: True,
        cache_storage=cache,
        config_storage=config,
        jobs=jobs,
        report=report,
    )
    began = time.process_time()
    run_jobs(program)
    cpu = time.process_time() - began
    verbs = {state.job.url: state.verb for state in report.job_states}
    errors = [str(state.exception) for state in report.job_states if state.verb == "error"]
    return {"cpu": cpu, "changed": [verbs.get(url) == "changed" for url in urls], "errors": errors[:3]}


if __name__ == "__main__":
    main()
