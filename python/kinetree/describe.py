"""Descriptions made in Python: the words of the YAML format as a dict."""

import json

from ._kinetree import Description


def from_dict(words, name="dict"):
    """The Description that a dict in the words of kinetree's YAML gives; JSON is YAML. Findings call it `name`."""
    return Description.from_text(json.dumps(words), "yaml", name)
