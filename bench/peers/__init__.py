"""WebVigil beside the monitors that people use today, urlwatch and changedetection.io, on one loopback site.

    python -m bench.peers [--json]
    python -m bench.peers --only ours      what ours needs, compared with nobody

Each program runs in a process of its own on one core, the site on another; each looks at the same pages as
often, one round after the other, and tells the CPU time (user and system, all threads) that a round took and
which pages it took for changed. The first round is not counted: it fills stores and caches.

The peers come from the package registry, into environments of their own under the cache folder (of the user,
or WEBVIGIL_BENCH_CACHE). They are run by their own parts as they ship: urlwatch by its `run_jobs` with its
SQLite cache, changedetection.io by its worker on its data store. Neither browser, nor notifications.

- urlwatch compares the page as it came where it does not change, its cheapest way; where it does, with the
  filter `html2text`, without which every new token on a page is an alarm.
- changedetection.io is left as it is after installation.
- Ours is a real worker on a knowledge base on SQLite and a folder of objects: it claims what is due, fetches,
  keeps, compares, and writes the results back. "Fetch and signature" is the part of it that the web costs.
"""
