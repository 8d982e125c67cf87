"""Slips of the pen in a rule: each makes one line, condition or figure of a method say something else.

A mutant is the method's code compiled anew from its source with one thing changed, to be put in the place of the
method's own. What is changed: a statement left out; a condition turned round, always true or never; a part of an `and`
or `or` left out, or the one made the other; a comparison moved by one or turned; a figure one more or one less; plus
made minus and their like; the least made the most and any made all; the value returned made another; and the whole
rule made one that does nothing, or, where doing nothing is the rule, left to the class before. What only a type wants
rules nothing and is left alone: asserts, `or ""`, `strict`.
"""

from __future__ import annotations
import __future__

import ast
import inspect
from collections.abc import Iterator
from copy import copy, deepcopy
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple, TypeVar

from tests.articles_cited import Rule

COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
RECKONED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
NAMED: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
WHOLE: Final = "the whole rule"
NOTHING: Final = "nothing"
INHERITED: Final = "the rule of the class before"
ASKS_NOTHING: Final = "yield from ()"
"""What makes a generator of a rule that asks nothing; its mutants are kept generators without it."""
LONG: Final = 100
"""The longest line that is told whole, in characters."""
ABOUT: Final = 40
"""How many characters of a longer one are told before and after what differs."""

N = TypeVar("N", bound=ast.AST)


class Mutant(NamedTuple):
    """A rule with one thing changed: on which lines of its file, what stood there, and what stands there now."""

    rule: Rule
    lines: range
    was: str
    now: str
    code: CodeType

    def __str__(self) -> str:
        return f"{self.rule}, line {self.lines[0]}:  {self.was}  ->  {self.now}"

    @property
    def articles(self) -> frozenset[str]:
        """The articles that the rule cites, and those by which it rules."""
        return frozenset(self.rule.articles) | _texts(function(self.rule).__code__)

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it as long as its line is written so."""
        return str(self.rule), self.was, self.now

    def put(self) -> None:
        """Puts the mutant in the place of its rule, for good: this is for a process that ends soon."""
        if self.now == INHERITED:
            delattr(self.rule.owner, self.rule.name)
        else:
            function(self.rule).__code__ = self.code


def function(rule: Rule) -> FunctionType:
    """The function behind a rule, whatever is wrapped around it."""
    what: Any = rule.what
    what = what.fget if isinstance(what, property) else getattr(what, "__func__", what)
    found = inspect.unwrap(what)
    assert isinstance(found, FunctionType)
    return found


def whole(rule: Rule) -> Mutant:
    """The rule made one that does nothing, a generator one that asks nothing; one that does nothing, taken away."""
    it = function(rule)
    written = _written(it)
    lines = range(written.lineno, (written.end_lineno or written.lineno) + 1)
    nothing = copy(written)
    nothing.body = [ast.Pass()]
    idle = all(isinstance(part, ast.Pass) or _says_no(part) for part in written.body)
    return Mutant(rule, lines, WHOLE, INHERITED if idle else NOTHING, _compiled(rule, nothing))


def mutants(rule: Rule) -> list[Mutant]:
    """Every mutant of a rule that does not compile to the rule itself or to an earlier one."""
    written = _written(function(rule))
    found = [whole(rule)]
    seen = {_essence(found[0].code), _essence(_compiled(rule, written))}
    told: dict[tuple[str, str], int] = {}
    for statement in _statements(written.body):
        for old, new in _changes(statement, written):
            changed = _Swap(old, new).visit(copy(statement)) if old is not statement else new
            code = _compiled(rule, _Swap(statement, changed).visit(copy(written)))
            if (essence := _essence(code)) in seen:
                continue
            seen.add(essence)
            was, now = _apart(_head(statement), _head(changed))
            told[was, now] = again = told.get((was, now), 0) + 1
            found.append(Mutant(rule, _lines(statement), was, now if again == 1 else f"{now} ({again})", code))
    return found


# -- what is changed


def _changes(statement: ast.stmt, within: ast.FunctionDef) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Each node of a statement, but not of the statements in it, with what is put in its place."""
    if not (statement is within.body[-1] and _says_no(statement)) and ast.unparse(statement) != ASKS_NOTHING:
        yield statement, ast.Pass()
    if isinstance(statement, ast.Break):
        yield statement, ast.Continue()
    elif isinstance(statement, ast.Continue):
        yield statement, ast.Break()
    elif isinstance(statement, ast.Return) and statement.value is not None:
        for value in _returned(statement.value, within.returns):
            yield statement, ast.Return(value)
    elif isinstance(statement, ast.AugAssign) and type(statement.op) in RECKONED:
        yield statement, _with(statement, op=RECKONED[type(statement.op)]())
    if isinstance(statement, ast.If | ast.While):
        yield from _turned(statement.test, never=isinstance(statement, ast.If) and bool(statement.orelse))
    for node in _expressions(statement):
        yield from _slips(node)


def _slips(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    if isinstance(node, ast.IfExp):
        yield from _turned(node.test)
    elif isinstance(node, ast.comprehension):
        for condition in node.ifs:
            yield from _turned(condition)
    elif isinstance(node, ast.BoolOp):
        yield node, _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        for n in range(len(node.values) - _for_the_type(node)):
            rest = [*node.values[:n], *node.values[n + 1 :]]
            yield node, rest[0] if len(rest) == 1 else _with(node, values=rest)
    elif isinstance(node, ast.Compare):
        for n, op in enumerate(node.ops):
            yield node, _with(node, ops=[*node.ops[:n], COMPARED[type(op)](), *node.ops[n + 1 :]])
    elif isinstance(node, ast.BinOp) and type(node.op) in RECKONED:
        yield node, _with(node, op=RECKONED[type(node.op)]())
    elif isinstance(node, ast.UnaryOp):
        yield node, node.operand
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMED:
        yield node, _with(node, func=ast.Name(NAMED[node.func.id], ast.Load()))
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield node, ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield node, ast.Constant(node.value + 1)
        yield node, ast.Constant(node.value - 1)


def _for_the_type(node: ast.BoolOp) -> bool:
    """Whether the last part of an `or` is an empty "" or 0 where None is left out for the type's sake."""
    last = node.values[-1]
    return isinstance(node.op, ast.Or) and isinstance(last, ast.Constant) and not last.value


def _turned(condition: ast.expr, *, never: bool = True) -> Iterator[tuple[ast.AST, ast.AST]]:
    """A condition always true, never true, and the other way round where no other slip says that."""
    yield condition, ast.Constant(True)
    if never:  # else that is the statement left out
        yield condition, ast.Constant(False)
    said = isinstance(condition, ast.Compare) and isinstance(
        condition.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn
    )
    if not said and not isinstance(condition, ast.UnaryOp):
        yield condition, ast.UnaryOp(ast.Not(), condition)


def _returned(value: ast.expr, kind: ast.expr | None) -> Iterator[ast.expr]:
    """Other values than the one returned, of its kind."""
    if isinstance(kind, ast.Subscript) and ast.unparse(kind.value) == "Procedure":
        kind = kind.slice
    name = kind.value if isinstance(kind, ast.Subscript) else kind
    text = ast.unparse(name) if name is not None else ""
    if text == "bool":
        yield ast.UnaryOp(ast.Not(), value)
        yield ast.Constant(True)
        yield ast.Constant(False)
    elif text == "int":
        yield ast.BinOp(value, ast.Add(), ast.Constant(1))
        yield ast.Constant(0)
    elif ast.unparse(value) in ("[]", "()", "{}", "''"):
        return  # the empty one of its kind is what it returns
    elif text in ("list", "set", "frozenset", "tuple", "dict", "str"):
        if not _is_empty(value):
            yield ast.Call(ast.Name(text, ast.Load()), [], [])
    elif text in ("Sequence", "Iterable", "Iterator", "Mapping"):
        yield ast.Call(ast.Name("dict" if text == "Mapping" else "tuple", ast.Load()), [], [])
    else:
        yield ast.Constant(None)


def _says_no(statement: ast.stmt) -> bool:
    """Whether a statement is `return False` or `return ""`: left out at the end of a rule, None says the same."""
    value = statement.value if isinstance(statement, ast.Return) else None
    return isinstance(value, ast.Constant) and (value.value is False or value.value == "")


def _is_empty(value: ast.expr) -> bool:
    """Whether a value is written as one that holds nothing."""
    return ast.unparse(value) in ("[]", "()", "{}", "''")


# -- the source


@cache
def _file(path: str) -> ast.Module:
    return ast.parse(Path(path).read_text("utf-8"), path)


def _written(it: FunctionType) -> ast.FunctionDef:
    """The function as it is written, without its decorators and docstring."""
    for node in ast.walk(_file(it.__code__.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == it.__name__:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first == it.__code__.co_firstlineno:
                own = deepcopy(node)
                own.decorator_list = []
                if ast.get_docstring(own) is not None:
                    own.body = own.body[1:] or [ast.Pass()]
                return own
    raise LookupError(f"{it.__qualname__} is not in the source")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement that rules something, those in others too: no words about a name."""
    for statement in body:
        words = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not words and not isinstance(statement, ast.Assert | ast.Pass | ast.Import | ast.ImportFrom):
            yield statement
        for inner in _inner(statement):
            yield from _statements(inner)


def _inner(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        yield getattr(statement, field, [])
    for field in ("handlers", "cases"):
        for part in getattr(statement, field, []):
            yield from _inner(part)


def _expressions(node: ast.AST) -> Iterator[ast.AST]:
    """Every node in a statement that is no statement of its own and no type."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.keyword) and child.arg == "strict":
                continue
            if isinstance(child, ast.AST) and not isinstance(child, ast.stmt):
                yield child
                yield from _expressions(child)


def _lines(statement: ast.stmt) -> range:
    """The lines of a statement without those of the statements in it."""
    inner = [part[0].lineno for part in _inner(statement) if part]
    end = min(inner) - 1 if inner else statement.end_lineno or statement.lineno
    return range(statement.lineno, max(end, statement.lineno) + 1)


def _head(statement: ast.AST) -> str:
    """A statement in one line, without those in it."""
    return NOTHING if isinstance(statement, ast.Pass) else ast.unparse(statement).split("\n")[0]


def _apart(was: str, now: str) -> tuple[str, str]:
    """Two long lines as far as they differ, with a little of what is about it."""
    if max(len(was), len(now)) <= LONG:
        return was, now
    short = min(len(was), len(now))
    ahead = next((n for n in range(short) if was[n] != now[n]), short)
    behind = next((n for n in range(short - ahead) if was[-1 - n] != now[-1 - n]), short - ahead)
    head, tail = max(0, ahead - ABOUT), max(0, behind - ABOUT)
    cut = [line[head : len(line) - tail] for line in (was, now)]
    return tuple(("..." if head else "") + line + ("..." if tail else "") for line in cut)  # type: ignore[return-value]


class _Swap(ast.NodeTransformer):
    """A copy of a tree, as far as it differs, with another node in the place of one."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(copy(node))

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, field, [self.visit(child) if isinstance(child, ast.AST) else child for child in value])
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node


def _with(node: N, **fields: Any) -> N:
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


# -- the code


def _compiled(rule: Rule, written: ast.FunctionDef) -> CodeType:
    """A function's code as it would be in its class, as much of a generator and as free in its `super()` as its own."""
    it = function(rule)
    own = copy(written)
    kept: list[ast.stmt] = []
    if inspect.isgeneratorfunction(it):
        kept.append(ast.Expr(ast.Yield()))
    if it.__code__.co_freevars:
        kept += [ast.Expr(ast.Name(name, ast.Load())) for name in it.__code__.co_freevars]
    if kept:
        own.body = [*own.body, ast.If(ast.Constant(False), kept, [])]
    module = ast.Module([ast.ClassDef(rule.owner.__name__, [], [], [own], [])], [])
    code = compile(
        ast.fix_missing_locations(module),
        it.__code__.co_filename,
        "exec",
        flags=__future__.annotations.compiler_flag,
        dont_inherit=True,
    )
    for name in (rule.owner.__name__, it.__name__):
        code = next(part for part in code.co_consts if isinstance(part, CodeType) and part.co_name == name)
    if code.co_freevars != it.__code__.co_freevars:
        raise AssertionError(f"{rule} has other free variables as a mutant: {code.co_freevars}")
    return code


def _texts(code: CodeType) -> frozenset[str]:
    """The texts that stand in a code."""
    inner = [_texts(part) for part in code.co_consts if isinstance(part, CodeType)]
    return frozenset().union(*inner, (part for part in code.co_consts if isinstance(part, str)))


def _essence(code: CodeType) -> tuple[object, ...]:
    """What makes two codes do the same: everything but where it was written."""
    constants = tuple(_essence(c) if isinstance(c, CodeType) else (type(c), c) for c in code.co_consts)
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
