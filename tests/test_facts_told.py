"""What the rules note and what the sentences say of it: no sentence speaks of a fact that its ruling does not carry,
and no ruling carries one that is never told. Rulebook by rulebook, in both languages, in the log and on the screens."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

import pytest

from companion.rules.rulebooks import RULEBOOKS
from companion.view.price import ON_KEYS
from companion.view.race.card import ROLLS
from companion.wording import LANGUAGES, Words
from companion.wording.filling import _at, pieces, split
from tests.articles_cited import parts

ALWAYS = {"car", "wear", "paid", "unpaid", "unpayable", "article", "text"}
"""What every sentence of a ruling may speak of."""
NOTED = {"rule": 0, "lose": 1}
"""The methods that note a ruling, and which of their arguments its kind is."""
MAKERS = {"away_in", "gained", "lost", "priced", "terms"}
"""The methods that make facts of a ruling which another notes."""
UNTOLD: Mapping[str, Mapping[str, str]] = {
    "allowance": {"short": "nobody buys what he cannot pay"},
    "pit_limit": {"short": "nobody enters who cannot pay"},
    "blocked": {"brakes": "in its cost", "tyres": "in its cost"},
    "build": {"stand": "the death race has none"},
    "hit": {"pool": "in its cost", "lost": "in its cost", "at": "where the car stands, its move says"},
    "held_up": {"at": "the move that follows says where"},
    "mine": {"begin": "where it was left, an earlier ruling said"},
    "move": {
        "begin": "where it stood",
        "lap": "the order shows laps",
        "points": "what it came to are sections",
        **dict.fromkeys(("slid", "soft", "braked", "blocked", "top", "boost"), "a ruling of its own says so"),
    },
    "out": {
        "at_space": "where it stands",
        "at": "a car that is taken off stands nowhere",
        "removed": "so is every one",
    },
    "overtakes": {"at": "the move that follows says where"},
    "pitted": {"lap": "the order shows laps"},
    "pulled": {"begin": "where it stood"},
    "reminder": {"moment": "when it is shown"},
    "slipstream": {"brakes": "in its cost", "short": "a car without the brake does not open it"},
    "stop": {"fuel": "the marked turn, which the reminder has said"},
    "box": {"box": "in the cup nobody has one of his own"},
    "brake": {"short": "a car without a brake does not brake"},
    "pit_grid": {"column": "it is always the exit"},
    "restart": {"face": "no die is rolled for it in the cup"},
    "stops": {"stop": "it is the long one; the quick one has a ruling of its own"},
    "surface": {"practice": "the answer itself"},
}
"""Facts that a sentence may leave out, by kind, each with the reason."""


def methods(kind: type) -> Iterator[FunctionType]:
    """Every method of a rulebook that is ever run: those that are rewritten only where the new one calls them. Of a
    variant only its own: what it builds on is the rulebook's."""
    own = {kind, *(kind.chapters().values() if hasattr(kind, "chapters") else ())}
    for part, name in ((one, name) for one in parts(kind) for name in (dir(one) if one in own else vars(one))):
        for owner in (base for base in (part.__mro__ if part in own else (part,)) if name in base.__dict__):
            found = owner.__dict__[name]
            found = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
            if not isinstance(found, FunctionType) or not found.__module__.startswith("companion.rules"):
                break
            yield found
            if "super()" not in inspect.getsource(found):
                break


@functools.cache
def given(rulebook: str) -> dict[str, set[str]]:
    """The facts that a rulebook gives with each kind of ruling, also where a method hands on those of its callers."""
    calls = [
        (method, node)
        for method in methods(RULEBOOKS[rulebook])
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(method))))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    facts: dict[str, set[str]] = defaultdict(set)
    handed: dict[str, set[str]] = defaultdict(set)
    """The kinds that a method notes with whatever facts it is called with."""
    named: dict[str, set[str]] = defaultdict(set)
    """The kinds that a method is called with."""
    for _ in range(3):  # a method may hand on to a method that hands on
        for method, call in calls:
            assert isinstance(call.func, ast.Attribute)
            name, own = call.func.attr, inspect.signature(method).parameters
            at = NOTED.get(name)
            kinds = set(handed[name]) if at is None else set()
            if at is not None and len(call.args) > at:
                kind = call.args[at]
                if isinstance(kind, ast.Constant):
                    kinds = {str(kind.value)}
                    named[name] |= kinds
                elif isinstance(kind, ast.Name) and kind.id in own:
                    kinds = set(named[method.__name__])
            for keyword in call.keywords:
                if at is not None and keyword.arg == "counts":
                    continue  # no fact: a field of its own
                told = {keyword.arg}
                if keyword.arg is None:
                    told = _spelled(rulebook, method, keyword.value)
                    if isinstance(keyword.value, ast.Name) and keyword.value.id in own and method.__name__ not in NOTED:
                        handed[method.__name__] |= kinds
                elif at is None and keyword.arg in _taken(rulebook, name):
                    continue
                for one in kinds:
                    facts[one] |= {fact for fact in told if fact is not None}
            for one in kinds:
                facts[one] |= set()
    return facts


def _keys(tree: ast.AST) -> set[str]:
    """The keys of all mappings that are written somewhere."""
    made = (node for node in ast.walk(tree) if isinstance(node, ast.Dict))
    return {str(key.value) for node in made for key in node.keys if isinstance(key, ast.Constant)}


def _spelled(rulebook: str, method: FunctionType, value: ast.expr) -> set[str]:
    """The facts of a mapping that a method makes itself and hands on: the keys that it writes anywhere, or that the
    methods write which it calls for the mapping."""
    if not isinstance(value, ast.Name):
        is_made = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
        return _keys(value) | (_made(rulebook, value) if is_made else set())
    found: set[str] = set()
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(method)))):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id == value.id and node.value is not None:
                found |= _keys(node.value) | _made(rulebook, node.value)
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                found |= {str(target.slice.value)} if ast.unparse(target.value) == value.id else set()
    return found


def _made(rulebook: str, value: ast.AST) -> set[str]:
    """The keys that are written by the methods which an expression calls for a mapping."""
    called = {one.attr for one in ast.walk(value) if isinstance(one, ast.Attribute)} & MAKERS
    makers = methods(RULEBOOKS[rulebook]) if called else ()
    written = (ast.parse(textwrap.dedent(inspect.getsource(one))) for one in makers if one.__name__ in called)
    return {key for tree in written for key in _keys(tree)}


@functools.cache
def _taken(rulebook: str, name: str) -> set[str]:
    """The arguments that a rulebook's method of that name takes for itself."""
    method = next((found for part in parts(RULEBOOKS[rulebook]) if (found := getattr(part, name, None))), None)
    if not callable(method):
        return set()
    own = inspect.signature(method).parameters.values()
    return {one.name for one in own if one.kind is not inspect.Parameter.VAR_KEYWORD}


def spoken(entry: Any) -> set[str]:
    """Every fact that an entry of the locale speaks of, or chooses by."""
    if isinstance(entry, str):
        found = set()
        for _, field, form in pieces(entry):
            if field is not None:
                found.add(field)
                if form[:1] in ("?", "="):
                    found |= {fact for part in split(form)[1:] for fact in spoken(part)}
        return found
    return {entry["by"], *(fact for key, inner in entry.items() if key != "by" for fact in spoken(inner))}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_no_sentence_speaks_of_what_its_ruling_does_not_carry(rulebook: str, lang: str) -> None:
    words = Words(lang, rulebook)
    wrong = {}
    for kind, facts in given(rulebook).items():
        if beyond := spoken(words._entry("ruling", kind)) - facts - ALWAYS:
            wrong[kind] = beyond
    assert wrong == {}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_no_word_on_the_screens_speaks_of_what_its_ruling_does_not_carry(rulebook: str, lang: str) -> None:
    words = Words(lang, rulebook)
    wrong = {}
    for table, kinds in (("price", ON_KEYS), ("card", given(rulebook)), ("line.rolls", ROLLS)):
        for kind in kinds:
            facts = given(rulebook).get(kind, set())
            entry = _at(words._own("screen"), f"{table}.{kind}") or _at(words.table["screen"], f"{table}.{kind}")
            if facts and entry is not None and (beyond := spoken(entry) - facts - ALWAYS):
                wrong[table, kind] = beyond
    assert wrong == {}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_every_fact_of_a_ruling_is_told(rulebook: str, lang: str) -> None:
    words = Words(lang, rulebook)
    wrong = {}
    for kind, facts in given(rulebook).items():
        told = spoken(words._entry("ruling", kind)) | set(UNTOLD.get(kind, {}))
        if left := facts - told:
            wrong[kind] = left
    assert wrong == {}


@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_what_may_be_left_out_is_given_somewhere(rulebook: str) -> None:
    everywhere: dict[str, set[str]] = defaultdict(set)
    for book in RULEBOOKS:
        for kind, facts in given(book).items():
            everywhere[kind] |= facts
    assert {
        kind: set(facts) - everywhere[kind] for kind, facts in UNTOLD.items() if set(facts) - everywhere[kind]
    } == {}
    assert len(given(rulebook)) > 20, "the rules were read"
