"""An analysis in, JSON out, and back: for the steps of a crawl, the command line and the API."""

from __future__ import annotations

from typing import Any

from webvigil.discover.analysis import Analysis, profile_from_json


def analysis_as_json(analysis: Analysis) -> dict[str, Any]:
    told: dict[str, Any] = {
        "page": analysis.page,
        "form": analysis.form,
        "fields": analysis.fields,
        "outcome": analysis.outcome,
        "reason": analysis.reason,
        "probes": analysis.probes,
        "seconds": round(analysis.seconds, 3),
    }
    return told | ({"profile": analysis.profile.as_json()} if analysis.profile else {})


def analysis_from_json(told: dict[str, Any]) -> Analysis:
    profile = told.get("profile")
    return Analysis(**{**told, "profile": profile_from_json(profile) if profile else None})
