"""Which attributes of screens and widgets the tests of the touchscreen read: `python -m tests.screens.reads [FILE]`.

A value is a widget if it is made by a class of one, is what a `.screen`, `.stage` or `.children` leads to, is shown or
walked to, is an attribute or a part of another widget, or is a parameter or the result of a function of the tests that
is one. What a test gives a widget of its own to show is no read. An expression that reads several in a row, as
`screen.band.keys[0].face`, is one read.
"""

from __future__ import annotations

import ast
import functools
import importlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
DRIVER = {"audit.py", "reads.py", "rig.py", "ui.py"}
"""What reads the screen for the tests."""
WAYS = {"children", "screen"}
"""Attributes of the app, of the harness and of the window that lead to widgets."""
WAYS_OF_APP = {"stage", "toast"}
"""Attributes that do so where they are the app's; a season has stages, a picture of a race a toast."""
NO_WIDGETS = {"controller"}
"""Attributes of widgets that are none, and lead to none."""
GIVERS = {"show", "walk", "dock"}
"""Functions that give widgets."""
OPEN = {"list", "sorted", "reversed", "enumerate", "zip", "next", "iter", "min", "max", "set", "tuple", "cast"}
"""Functions of Python that pass on what they are given."""

FOLLOWED = (
    ast.AnnAssign, ast.Assign, ast.Call, ast.For, ast.FunctionDef, ast.ImportFrom, ast.NamedExpr, ast.Return, ast.Yield,
    ast.comprehension,
)  # fmt: skip


@dataclass
class Function:
    """A function of a test module: whether it returns a widget, and which of its parameters are widgets."""

    node: ast.FunctionDef
    gives: bool = False
    taken: set[str] = field(default_factory=set)

    @property
    def parameters(self) -> list[str]:
        """Return the names of its parameters, in order."""
        return [arg.arg for arg in (*self.node.args.posonlyargs, *self.node.args.args, *self.node.args.kwonlyargs)]


@dataclass
class Module:
    """A test module: its functions by name, and the names of classes of widgets in it."""

    tree: ast.Module
    functions: dict[str, Function] = field(default_factory=dict)
    widgets: set[str] = field(default_factory=set)


@functools.cache
def nodes(root: ast.AST) -> tuple[ast.AST, ...]:
    """Return what binds names within, what is called, handed back and imported."""
    return tuple(node for node in ast.walk(root) if isinstance(node, FOLLOWED))


@functools.cache
def functions(root: ast.AST) -> tuple[ast.FunctionDef, ...]:
    """Return the functions within, but not those within one of them."""
    found: list[ast.FunctionDef] = []
    for child in ast.iter_child_nodes(root):
        found += (child,) if isinstance(child, ast.FunctionDef) else functions(child)
    return tuple(found)


def name_of(node: ast.expr) -> str:
    """Return the last part of a dotted name, "" for any other expression."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_way(node: ast.Attribute) -> bool:
    """Return whether an attribute leads to widgets; `theme.words.screen` says a text."""
    behind = name_of(node.value)
    return (node.attr in WAYS and behind != "words") or (node.attr in WAYS_OF_APP and behind == "app")


def is_given(node: ast.expr) -> bool:
    """Return whether a widget of a test's own is given what it shows: `strip.show(rows)`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "show"
        and isinstance(node.func.value, ast.Name)
    )


def is_widget_class(module: str, name: str) -> bool:
    """Return whether a module of the program has a class of widgets by that name."""
    from kivy.uix.widget import Widget

    found = getattr(importlib.import_module(module), name, None)
    return isinstance(found, type) and issubclass(found, Widget)


def loaded(texts: Mapping[str, str]) -> dict[str, Module]:
    """Read the texts of modules, by their dotted names; a function that two of them share is one object."""
    modules = {name: Module(ast.parse(text)) for name, text in texts.items()}
    for made in modules.values():
        for node in nodes(made.tree):
            if isinstance(node, ast.FunctionDef):
                made.functions.setdefault(node.name, Function(node))
    for made in modules.values():
        for node in nodes(made.tree):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            for one in node.names:
                if node.module.startswith("companion.screens") and is_widget_class(node.module, one.name):
                    made.widgets.add(one.asname or one.name)
                shared = modules[node.module].functions.get(one.name) if node.module in modules else None
                if shared is not None:
                    made.functions.setdefault(one.asname or one.name, shared)
    return modules


class Reader:
    """Follow widgets through one function or one module."""

    def __init__(self, module: Module, known: set[str]) -> None:
        self.module, self.known = module, set(known)

    def is_widget(self, node: ast.expr | None) -> bool:
        """Return whether an expression is a widget, several of them, or a part of one."""
        if isinstance(node, ast.Name):
            return node.id in self.known
        if isinstance(node, ast.Attribute):
            if node.attr in NO_WIDGETS:
                return False
            return is_way(node) or self.is_widget(node.value) or ast.unparse(node) in self.known
        if isinstance(node, ast.Subscript | ast.Starred | ast.NamedExpr | ast.Await):
            return self.is_widget(node.value)
        if isinstance(node, ast.Call):
            return self._gives(node)
        if isinstance(node, ast.IfExp):
            return self.is_widget(node.body) or self.is_widget(node.orelse)
        if isinstance(node, ast.BoolOp):
            return any(self.is_widget(one) for one in node.values)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return any(self.is_widget(one) for one in node.elts)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            return self.is_widget(node.elt)
        return isinstance(node, ast.DictComp) and self.is_widget(node.value)

    def _gives(self, call: ast.Call) -> bool:
        name = name_of(call.func)
        if name == "screen" and isinstance(call.func, ast.Attribute):  # what the driver reads: ui.screen()
            return False
        if name in self.module.widgets or (name in GIVERS and not ast.unparse(call.func).startswith("ast.")):
            return True
        if name in OPEN and isinstance(call.func, ast.Name):
            return any(self.is_widget(one) for one in call.args)
        function = self.module.functions.get(name)
        if function is not None and function.gives:
            return True
        return isinstance(call.func, ast.Attribute) and self.is_widget(call.func.value)

    def follow(self, root: ast.AST) -> None:
        """Note every name that is a widget within."""
        for node in nodes(root):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._bind(target, node.value)
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                self._bind(node.target, node.value)
            elif isinstance(node, ast.For | ast.comprehension):
                self._bind(node.target, node.iter)
            elif isinstance(node, ast.Call):
                self._pass_on(node)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, said in zip(target.elts, value.elts, strict=True):
                self._bind(one, said)
        elif self.is_widget(value) and isinstance(target, ast.Attribute):  # an object that has a widget is none itself
            self.known.add(ast.unparse(target))
        elif self.is_widget(value):
            self.known |= {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}

    def _pass_on(self, call: ast.Call) -> None:
        function = self.module.functions.get(name_of(call.func))
        if function is None:
            return
        names = function.parameters
        if names[:1] in (["self"], ["cls"]):
            names = names[1:]
        taken = {name for name, value in zip(names, call.args, strict=False) if self.is_widget(value)}
        taken |= {one.arg for one in call.keywords if one.arg in names and self.is_widget(one.value)}
        function.taken |= taken

    def reads(self, root: ast.AST) -> Iterator[tuple[int, str]]:
        """Yield what is read of widgets, each expression once, with its line."""
        if isinstance(root, ast.Call) and name_of(root.func) == "screen" and isinstance(root.func, ast.Attribute):
            for part in (root.func.value, *root.args, *root.keywords):
                yield from self.reads(part)
            return
        if isinstance(root, ast.Expr) and is_given(root.value) and self.is_widget(root.value.func.value):  # type: ignore[attr-defined]
            for part in (*root.value.args, *root.value.keywords):  # type: ignore[attr-defined]
                yield from self.reads(part)
            return
        if isinstance(root, ast.Attribute) and (is_way(root) or self.is_widget(root.value)):
            yield root.lineno, ast.unparse(root)
            inner: ast.AST = root.value
            while isinstance(inner, ast.Attribute | ast.Subscript | ast.Call):
                aside = [*inner.args, *inner.keywords] if isinstance(inner, ast.Call) else []
                aside += [inner.slice] if isinstance(inner, ast.Subscript) else []
                for part in aside:
                    yield from self.reads(part)
                inner = inner.func if isinstance(inner, ast.Call) else inner.value
            yield from self.reads(inner)
            return
        for child in ast.iter_child_nodes(root):
            if not isinstance(child, ast.FunctionDef):
                yield from self.reads(child)


def reader(module: Module, node: ast.FunctionDef, around: set[str]) -> Reader:
    """Return a reader that knows what is a widget within a function, where the names `around` it are."""
    args = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    known = around | module.functions[node.name].taken
    for arg in args:
        is_class = isinstance(arg.annotation, ast.Subscript) and name_of(arg.annotation.value) == "type"
        said = ast.walk(arg.annotation) if arg.annotation is not None and not is_class else ()
        named = {name_of(one) for one in said}  # type: ignore[arg-type]
        fixture = module.functions.get(arg.arg)
        if named & module.widgets or (fixture is not None and fixture.gives):
            known.add(arg.arg)
    made = Reader(module, known)
    for _ in range(2):  # a name may be bound below where it is used
        made.follow(node)
    return made


def readers(module: Module, root: ast.AST, around: set[str]) -> Iterator[tuple[ast.FunctionDef, Reader]]:
    """Yield every function within, with its reader; one within another knows the other's names."""
    for child in functions(root):
        made = reader(module, child, around)
        yield child, made
        yield from readers(module, child, made.known)


def widgets_read(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what each module reads of widgets, "line 12: screen.band.keys", by its dotted name."""
    modules = loaded(texts)
    for _ in range(4):  # a function may hand on what another was handed
        for made in modules.values():
            for node, read in readers(made, made.tree, set()):
                returned = [one.value for one in nodes(node) if isinstance(one, ast.Return | ast.Yield)]
                function = made.functions[node.name]
                function.gives = function.gives or any(read.is_widget(value) for value in returned)
    found = {}
    for name, made in modules.items():
        said = list(Reader(made, set()).reads(made.tree))
        for node, read in readers(made, made.tree, set()):
            for statement in (one for one in node.body if not isinstance(one, ast.FunctionDef)):
                said += read.reads(statement)
        found[name] = [f"line {line}: {text}" for line, text in sorted(set(said))]
    return found


def counted() -> dict[str, list[str]]:
    """Return what each test of the touchscreen reads, by its path, but for what reads the screen for them."""
    paths = {
        ".".join(("tests", "screens", *path.relative_to(HERE).with_suffix("").parts)): path
        for path in sorted(HERE.rglob("*.py"))
        if path.name not in DRIVER
    }
    found = widgets_read({name: path.read_text("utf-8") for name, path in paths.items()})
    return {str(paths[name].relative_to(HERE)): said for name, said in found.items()}


def main(wanted: list[str]) -> None:
    """Print how many reads each file has, as the table of `test_reads_the_screen` has it; or what some files read."""
    found = counted()
    for path, said in sorted(found.items(), key=lambda one: (-len(one[1]), one[0])):
        if wanted and path in wanted:
            print(path, *said, sep="\n  ")
        elif said and not wanted:
            print(f'    "{path}": {len(said)},')
    print(sum(map(len, found.values())))


if __name__ == "__main__":
    import tests.screens.conftest  # noqa: F401  (the window without a display, before Kivy is there)

    main(sys.argv[1:])
