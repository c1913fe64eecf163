"""kinetree: forward dynamics of articulated mechanisms.

A batch is an array of shape (batch, n): a row for each state. Arrays whose rows are contiguous are read where they lie;
`out=` writes where the caller says. Calls let other Python threads run. `q`, `v` and `tau` are laid out joint by joint,
in SI units, as docs/conventions.md has it; model.q_index(joint) finds a joint's entries.
"""

from . import _kinetree, convert, facts, words
from ._kinetree import *  # noqa: F401,F403
from ._kinetree import FUNCTIONS, JOINT_TYPES, LOOP_TYPES, STATUS_CODES, Description, Model, __version__
from .describe import from_dict, words as words_of
from .drive import Drive
from .errors import (ArgumentError, ArrayTypeError, BusyError, Error, Finding, ForkError, InputError, OptionError,
                     ShapeError, StateError, Status, TooManyCuts)
from .event import Event
from .picture import tree_html, tree_svg
from .plan import Plan
from .rollout import Trajectory, rollout
from .show import Page, show
from .studies import Results, command, load_results, study, sweep

for kind, name, method in ((Model, "_repr_svg_", tree_svg), (Model, "_repr_html_", tree_html),
                           (Model, "show", show), (Description, "from_dict", staticmethod(from_dict)),
                           (Description, "words", words_of)):
    setattr(kind, name, method)
del kind, name, method, words_of
