"""The sentences of the engine that a person may meet on the page, read off its source.

A sentence is where an error is made (`LpmmError` and what derives from it, `upload.refuse`), where a reader notes what it left out
(`notes`, `reasons`, `tally.add`), where a job says why it failed, and where an answer warns. Each becomes a template: `{0}`, `{1}` stand
for what is put in. Names, conditions and helpers of the same module are followed as far as they hold text, so that `is {what}` gives one
template for each thing that `what` can be.

Left out is what only a programmer or the terminal meets: the command line, `exchange`, argument checks of `index` and `graph`.
"""

from __future__ import annotations

import ast
import itertools
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
GAP = "\0"
TERMINAL = ("lpmm_core/cli", "lpmm_core/exchange")
INNER = ("lpmm_core/index", "lpmm_core/graph")
MENDED_UNSEEN = {"UnusableBase", "Interrupted"}
PLACE = re.compile(r"(?:line|byte|page|character|record) \0(?:, (?:line|byte|character) \0)*")
DEEPEST = 12


class Module:
    """One source file, with what a name in it may mean."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.functions: dict[str, list[ast.FunctionDef]] = {}
        self.scopes: dict[ast.AST, tuple[ast.FunctionDef, ...]] = {}
        self.calls: dict[str, list[ast.Call]] = {}
        self._walk(self.tree, ())

    def _walk(self, node: ast.AST, scope: tuple[ast.FunctionDef, ...]) -> None:
        self.scopes[node] = scope
        if isinstance(node, ast.FunctionDef):
            self.functions.setdefault(node.name, []).append(node)
            scope = (*scope, node)
        if isinstance(node, ast.Call):
            self.calls.setdefault(called(node), []).append(node)
        for child in ast.iter_child_nodes(node):
            self._walk(child, scope)

    # --- what an expression may say

    def texts(self, node: ast.AST | None, depth: int = 0) -> set[str]:
        """Return every text that an expression may give; `GAP` stands for what is known only when it runs."""
        if node is None or depth > DEEPEST:
            return {GAP}
        deeper = depth + 1
        match node:
            case ast.Constant(value=str(text)):
                return {text}
            case ast.Constant(value=None):
                return set()
            case ast.JoinedStr(values=parts):
                options = [self.texts(part, depth) for part in parts]
                return {"".join(chosen) for chosen in itertools.product(*options)}
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                options = self.texts(value, deeper)
                return {GAP} if GAP in options else options
            case ast.IfExp(body=one, orelse=other):
                return self.texts(one, deeper) | self.texts(other, deeper)
            case ast.BoolOp(op=ast.Or(), values=values):
                options = set().union(*(self.texts(value, deeper) for value in values)) - {""}
                return {GAP} if GAP in options else options
            case ast.Name(id=name):
                return self._named(node, name, deeper)
            case ast.Call():
                return self._called(node, deeper)
        return {GAP}

    def _named(self, node: ast.AST, name: str, depth: int) -> set[str]:
        for function in reversed(self.scopes.get(node, ())):
            values = list(_bound(function, name, node))
            found = set().union(*(self._bound_texts(value, whole, depth) for value, whole in values))
            arguments = [a.arg for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
            if name in arguments:
                found |= self._passed(function, name, depth)
            if values or name in arguments:
                return found
        for value in self._constants(name):
            return self.texts(value, depth)
        return _imported(self, name)

    def _bound_texts(self, value: ast.AST, whole: bool, depth: int) -> set[str]:
        """`whole` when the name is the value, else it runs over the texts in a table."""
        if whole:
            return self.texts(value, depth)
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "items":
            value = value.func.value
        table = next(self._constants(value.id), None) if isinstance(value, ast.Name) else None
        if isinstance(table, ast.Dict):
            return set().union(*(self.texts(v, depth) for v in table.values))
        if isinstance(table, ast.Tuple):
            return set().union(*(self.texts(row.elts[-1], depth) for row in table.elts if isinstance(row, ast.Tuple)))
        return {GAP}

    def _passed(self, function: ast.FunctionDef, name: str, depth: int) -> set[str]:
        """What the callers in this module pass for a parameter."""
        positional = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        if positional[:1] == ["self"]:
            positional = positional[1:]
        found: set[str] = set()
        for call in self.calls.get(function.name, []):
            given = dict(zip(positional, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
            found |= self.texts(given[name], depth) if name in given else set()
        return found or {GAP}

    def _called(self, call: ast.Call, depth: int) -> set[str]:
        name = called(call)
        if name == "Triple":
            return set()
        if name == "next" and call.args and isinstance(call.args[0], ast.GeneratorExp):
            loop = call.args[0].generators[0]
            return self._bound_texts(loop.iter, False, depth).union(*(self.texts(a, depth) for a in call.args[1:]))
        if isinstance(call.func, ast.Attribute) and name == "get" and isinstance(call.func.value, ast.Dict):
            values = (*call.func.value.values, *call.args[1:])
            return set().union(*(self.texts(value, depth) for value in values))
        own = isinstance(call.func, ast.Name) or (
            isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id == "self"
        )
        if own and name in self.functions:
            returns = [n for f in self.functions[name] for n in ast.walk(f) if isinstance(n, ast.Return)]
            if returns:
                return set().union(*(self.texts(n.value, depth) for n in returns))
        if own and (elsewhere := _imported_from(self, name)) is not None and name in elsewhere.functions:
            returns = [n for f in elsewhere.functions[name] for n in ast.walk(f) if isinstance(n, ast.Return)]
            return set().union(*(elsewhere.texts(n.value, depth) for n in returns)) or {GAP}
        return {GAP}

    def _constants(self, name: str):
        for node in self.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                    yield value
                case ast.AnnAssign(target=ast.Name(id=bound), value=value) if bound == name and value is not None:
                    yield value


def called(call: ast.Call) -> str:
    """Return the last part of what is called."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _bound(function: ast.FunctionDef, name: str, use: ast.AST):
    """Yield what a local name is given, and whether it is the whole of it; inside a loop over the name, only that."""
    loops = [n for n in ast.walk(function) if isinstance(n, ast.For) and name in _names(n.target)]
    around = [loop for loop in loops if any(node is use for node in ast.walk(loop))]
    if around:
        yield around[-1].iter, False
        return
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                yield value, True
            case ast.NamedExpr(target=ast.Name(id=bound), value=value) if bound == name:
                yield value, True


def _names(target: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def _imported_from(module: Module, name: str) -> Module | None:
    for node in module.tree.body:
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names] and node.module:
            path = ROOT / (node.module.replace(".", "/") + ".py")
            return read(path) if path.exists() else None
    return None


def _imported(module: Module, name: str) -> set[str]:
    source = _imported_from(module, name)
    values = list(source._constants(name)) if source else []
    return source.texts(values[0]) if source and values else {GAP}


@cache
def read(path: Path) -> Module:
    """Return a module."""
    return Module(path)


# --- where sentences are


@cache
def errors() -> frozenset[str]:
    """Return the names of all classes of errors that a person may see, and of what carries their sentences."""
    classes = [node for m in modules() for node in ast.walk(m.tree) if isinstance(node, ast.ClassDef)]
    found = {"LpmmError"}
    while new := {c.name for c in classes if found & {getattr(b, "id", "") for b in c.bases}} - found:
        found |= new
    return frozenset(found - MENDED_UNSEEN | {"_Failure"})


@cache
def modules() -> tuple[Module, ...]:
    """Return every module that may say something to a person on the page."""
    paths = (*ROOT.glob("lpmm_core/**/*.py"), *ROOT.glob("webui/**/*.py"))
    return tuple(read(p) for p in sorted(paths) if not p.relative_to(ROOT).as_posix().startswith(TERMINAL))


def sentences() -> dict[str, str]:
    """Return every template, and one place where it is said."""
    found: dict[str, str] = {}
    for module in modules():
        where = module.path.relative_to(ROOT).as_posix()
        for node in ast.walk(module.tree):
            for text in _said(module, node, where):
                template = numbered(text)
                if re.search("[A-Za-z\u4e00-\u9fff]{2}", re.sub(r"\{\d+\}", "", template)):
                    found.setdefault(template, f"{where}:{getattr(node, 'lineno', 0)}")
    return found


def numbered(text: str) -> str:
    """Write gaps as `{0}`, `{1}`, ...; gaps without text between them are one."""
    count = itertools.count()
    return re.sub(f"{GAP}+", lambda _: f"{{{next(count)}}}", text)


def _said(module: Module, node: ast.AST, where: str):
    match node:
        case ast.Call():
            yield from _said_by_call(module, node, where)
        case ast.Assign(targets=[ast.Name(id="notes")], value=ast.List(elts=elements)):
            for element in elements:
                yield from module.texts(element)
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id="failures"))], value=value):
            yield from module.texts(value)
        case ast.Assign(targets=[ast.Name(id="failure")], value=value):
            yield from module.texts(value)
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            for name, value in zip(names, values, strict=False):
                yield from module.texts(value) if getattr(name, "id", "") == "error" else ()
        case ast.JoinedStr() if "ingest/documents" in where:
            text = "".join(part.value if isinstance(part, ast.Constant) else GAP for part in node.values)
            if PLACE.fullmatch(text):
                yield text


def _said_by_call(module: Module, call: ast.Call, where: str):
    name, arguments = called(call), call.args
    if any(function.name == "refuse" for function in module.scopes[call]):
        return  # every call of it is read instead
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    received = getattr(receiver, "attr", getattr(receiver, "id", ""))
    if name in errors() and arguments and not (name == "InvalidInput" and where.startswith(INNER)):
        yield from module.texts(arguments[0])
    elif name == "refuse":
        place = f" ({GAP})" if "place" in keywords else ""
        yield from (f"{GAP} {text}{place}" for text in module.texts(arguments[0]))
        if isinstance(fixed := keywords.get("place"), ast.Constant):
            yield re.sub(r"\d+", GAP, fixed.value)
    elif name == "add" and received.endswith("tally"):
        places = f" ({GAP})" if len(arguments) > 1 else ""
        yield from (f"{text}: {GAP}{places}" for text in module.texts(arguments[0]))
    elif name == "append" and received in ("notes", "reasons"):
        yield from module.texts(arguments[0])
    elif name == "append" and received == "warnings" and called_say(arguments[0]):
        yield from _warning(arguments[0].args[0].value)
    elif name in ("Content", "Decoded") and len(arguments) > 2:
        for part in ast.walk(arguments[2]):
            if isinstance(part, ast.Tuple):
                for element in part.elts:
                    yield from module.texts(element) if not isinstance(element, ast.Starred) else ()
    elif name == "release" and isinstance(keywords.get("error"), ast.Constant):
        yield from module.texts(keywords["error"])
    elif name == "FileReport" and isinstance(keywords.get("reasons"), ast.List):
        for element in keywords["reasons"].elts:
            yield from module.texts(element)
    elif name in ("answer", "problem") and where.startswith("webui") and len(arguments) > 2:
        yield from module.texts(arguments[2])


def called_say(node: ast.AST) -> bool:
    """Whether a node is `run.say("...")`."""
    return isinstance(node, ast.Call) and called(node) == "say"


def _warning(key: str):
    """Yield a warning of an answer: its English form, and the Chinese one where it quotes another sentence."""
    from lpmm_core.retrieve.words import _SENTENCES

    zh, en = (re.sub(r"\{\w+\}", GAP, text) for text in _SENTENCES[key])
    yield en
    if GAP in zh:
        yield zh
