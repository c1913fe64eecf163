"""Descriptions made in Python, of dicts or of kinetree.words."""

from . import words as forms
from ._kinetree import Description
from .errors import ArrayTypeError


def from_dict(words, name="dict"):
    """The Description of a dict in the words of kinetree's YAML, or of a words.Mechanism. Findings call it `name`."""
    if not isinstance(words, (dict, forms.Mechanism)):
        raise ArrayTypeError("words", "a dict, or a kinetree.words.Mechanism", type(words).__name__)
    return Description.from_text(forms.text_of(words), "yaml", name)


def words(description):
    """A words.Mechanism that says the same, to look at and to change: a copy. Raises InputError where no model is."""
    return forms.made(forms.Mechanism, description._words())
