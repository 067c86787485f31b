"""Finds every template in the source code, and every text that no translation could reach.

A template is the literal text in one of these calls:

    say("{card} goes to row {row}", card=..., row=...)      from companion.text.sentence; also Text(...)
    in_context("a title", "TAKES")
    count("{count} card", "{count} cards", number)
    Rule("6N-1", "the rulebook", "ASCENDING NUMBERS", "A card ...")
    t("OK=NEXT")                                            whatever is a `Translator`
    session.translate("UNDONE")
    spoken(file)("the time is up")                          of what gives a `Translator`
    parser.add_argument("--json", help="the findings as JSON")
    sentence("no scanner at {port}", port=...)              of a device, from hardware.errors

An error says what is wrong and what to do in texts: CompanionError(say(...), say(...)).

The literal may be chosen by a condition: say("won" if won else "lost"). A table of texts is a table of
`say(...)`. A comment above that begins with "Translators:" is given to the translators.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from companion.values import Value, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

PACKAGES: Final = ("companion", "hardware", "firmware", "network")

_MACHINERY: Final = frozenset({
    "companion/text/sentence.py",  # says what a text is
    "companion/text/codec.py",  # reads stored texts
    "companion/core/ruling.py",  # makes texts of the rules, whose parts are extracted where they are defined
    "firmware/text/device_text.py",  # makes texts of what devices say
    "hardware/options.py",  # keeps what each key of the configuration is about
    "firmware/text/translation.py",
})  # fmt: skip
"""The files that make texts of what they are given."""

_MAKERS: Final[Mapping[tuple[str, str], Sequence[str]]] = {
    ("companion.text.sentence", "say"): ("template",),
    ("companion.text.sentence", "Text"): ("template", "facts", "plural", "context"),
    ("companion.text.sentence", "count"): ("template", "plural"),
    ("companion.text.sentence", "in_context"): ("context", "template"),
    ("hardware.errors", "sentence"): ("template",),
    ("hardware.options", "option"): ("template",),
    ("companion.core.ruling", "Rule"): ("key", "source", "short", "full"),
}
"""What makes a text, and the names of its first arguments."""

_TEXTS: Final = frozenset({"template", "plural", "context", "source", "short", "full"})

_ERROR: Final = "CompanionError"
"""Says in its first two arguments, with texts, what is wrong and what to do. So do all errors made of it."""

_DEVICE_ERRORS: Final = frozenset({"HardwareError", "DeviceFault"})
"""Faults of a device, whose name is their first argument; then come two of `hardware.errors.sentence`."""

_HELP: Final = frozenset({"help", "description", "epilog"})
_HELP_TABLES: Final = frozenset({"EXPORTS", "_LENGTHS"})
"""Tables of what the help says: of formats, and of lengths."""
_PARSERS: Final = frozenset({"add_argument", "Command", "ArgumentParser", "kind"})
"""What has a help, a description or an epilog; `firmware.cli.main` makes a parser of any `kind`."""
_TRANSLATED_BY: Final = frozenset({"t", "translate"})
_OWNERS: Final = frozenset({"session", "self", "stored"})
"""What has an attribute `translate` that is a `Translator`; that of a str is something else."""

_TRANSLATOR: Final = "Translator"

_TYPED_NODES: Final = ast.arg | ast.AnnAssign | ast.FunctionDef | ast.AsyncFunctionDef
"""What has an annotation."""

_WORDS: Final = re.compile("[A-Za-z]{2,} ")
_TYPED: Final = ("sudo ", "pip ")
"""What a command begins with that people type, the same in every language."""

_COMMENT: Final = "Translators:"
_ABOUT_RULES: Final = {
    "source": "Where a rule stands: the rulebook and its section, as the edition in this language calls it.",
    "short": "The title of a rule: one line of the display, at most 21 letters.",
    "full": "A rule, in full.",
}


class Template(Value):
    """A template, the files that have it, and what translators are told about it."""

    template: str
    plural: str = ""
    context: str = ""
    files: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """What it is looked up by."""
        return self.context, self.template


class Found(Struct):
    """The templates of all files, and what is wrong with texts, as "file:line: fault"."""

    templates: dict[tuple[str, str], Template] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def add(self, new: Template, place: str) -> None:
        """Add a template that may be there already."""
        old = self.templates.get(new.key, Template(new.template, "", new.context))
        if old.plural and new.plural and old.plural != new.plural:
            self.faults.append(f"{place}: {new.template!r} has another plural elsewhere: {old.plural!r}")
        self.templates[new.key] = Template(
            new.template,
            old.plural or new.plural,
            new.context,
            tuple(dict.fromkeys((*old.files, *new.files))),
            tuple(dict.fromkeys((*old.comments, *new.comments))),
        )


def extract(root: Path) -> Found:
    """All templates below a folder, in the order of files and lines."""
    found = Found()
    files = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    sources = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in files}
    nodes = {name: _nodes(source) for name, source in sources.items()}
    errors, speaking = _errors(nodes.values()), _speaking(nodes.values())
    for name, source in sources.items():
        _add_nodes(found, name, source, nodes[name], errors, speaking)
    return found


def _nodes(source: str) -> list[ast.AST]:
    """All nodes of a file, as from `ast.walk` but for contexts and operators, in a third of the time."""
    nodes: list[ast.AST] = [ast.parse(source)]
    for node in nodes:  # it grows
        for name in node._fields:
            value = getattr(node, name, None)
            if type(value) is list:
                nodes += [part for part in value if isinstance(part, ast.AST)]
            elif isinstance(value, ast.AST) and value._fields:
                nodes.append(value)
    return nodes


def _errors(files: Iterable[Sequence[ast.AST]]) -> frozenset[str]:
    """The names of all classes of errors that are made of `_ERROR`, and that one; no class holds another."""
    bases = {
        node.name: {_last_name(base) for base in node.bases}
        for nodes in files
        for node in nodes
        if isinstance(node, ast.ClassDef)
    }
    errors = {_ERROR}
    while more := {name for name, of in bases.items() if of & errors} - errors:
        errors |= more
    return frozenset(errors)


def _speaking(files: Iterable[Sequence[ast.AST]]) -> frozenset[str]:
    """The names of all functions and methods that give a `Translator`, and its own."""
    return frozenset({_TRANSLATOR}) | {
        node.name
        for nodes in files
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        and isinstance(node.returns, ast.Name)
        and node.returns.id == _TRANSLATOR
        and "property" not in {_last_name(decorator) for decorator in node.decorator_list}  # it is not called
    }


def add_file(
    found: Found,
    name: str,
    source: str,
    errors: frozenset[str] = frozenset({_ERROR}),
    speaking: frozenset[str] = frozenset({_TRANSLATOR}),
) -> None:
    """Add the templates of one file; `name` is its path from the root.

    `errors` are names of classes, `speaking` those of functions that give a `Translator`.
    """
    _add_nodes(found, name, source, _nodes(source), errors, speaking)


def _add_nodes(
    found: Found,
    name: str,
    source: str,
    nodes: Sequence[ast.AST],
    errors: frozenset[str],
    speaking: frozenset[str],
) -> None:
    translators, strings = _translators(nodes, speaking), _strings(nodes)
    file = _File(
        name,
        _makers(nodes, name),
        translators,
        errors,
        speaking,
        strings,
        _phrases(nodes),
        _comments(source),
        found,
    )
    file.read(nodes)


def _makers(nodes: Sequence[ast.AST], name: str) -> dict[str, Sequence[str]]:
    """The names by which this file calls what makes a text."""
    own = {
        maker: names for (module, maker), names in _MAKERS.items() if f"{module.replace('.', '/')}.py" == name
    }
    return own | {
        alias.asname or alias.name: _MAKERS[node.module, alias.name]
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
        if (node.module, alias.name) in _MAKERS
    }


def _translators(nodes: Sequence[ast.AST], speaking: frozenset[str]) -> frozenset[str]:
    """The names of variables, parameters and attributes that hold a `Translator`."""
    names = set(_TRANSLATED_BY)
    for node in nodes:
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            if _TRANSLATOR in ast.unparse(node.annotation):
                names.add(node.arg if isinstance(node, ast.arg) else _last_name(node.target))
        elif isinstance(node, ast.Assign):
            for target, value in _assigned(node):
                if _is_translator(value, speaking):
                    names.add(_last_name(target))
    for node in nodes:  # self._translate = words
        if isinstance(node, ast.Assign):
            names |= {_last_name(to) for to, value in _assigned(node) if getattr(value, "id", None) in names}
    return frozenset(names - {""})


def _assigned(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=True)
        else:
            yield target, node.value


def _strings(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The names of variables to which a string is assigned, and of strings that are called the fix."""
    names = set()
    for node in nodes:
        if isinstance(node, ast.Assign):
            names |= {_last_name(target) for target, value in _assigned(node) if _is_string(value)}
        elif isinstance(node, ast.AnnAssign) and node.value is not None and _is_string(node.value):
            names.add(_last_name(node.target))
        elif isinstance(node, ast.arg) and node.arg == "fix" and node.annotation is not None:
            names |= {node.arg} if ast.unparse(node.annotation) == "str" else set()
    return frozenset(names - {""})


def _phrases(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The names of variables to which English words are assigned."""
    return frozenset(
        _last_name(target)
        for node in nodes
        if isinstance(node, ast.Assign)
        for target, value in _assigned(node)
        if _has_words(value)
    ) - {""}


def _has_words(node: ast.expr) -> bool:
    """Whether an expression has words of English in it, and is no command to be typed."""
    parts = [
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    return _is_string(node) and any(_WORDS.search(part) and not part.startswith(_TYPED) for part in parts)


def _is_string(node: ast.expr) -> bool:
    """Whether this is a literal, or put together; of a condition, whether one of the two is."""
    if isinstance(node, ast.IfExp):
        return _is_string(node.body) or _is_string(node.orelse)
    return isinstance(node, ast.JoinedStr | ast.BinOp) or _literals(node) is not None


def _is_translator(value: ast.expr, speaking: frozenset[str]) -> bool:
    if isinstance(value, ast.Call):
        return _last_name(value.func) in speaking
    return isinstance(value, ast.Attribute) and value.attr == "translate"


def _last_name(node: ast.expr) -> str:
    """`translate` of `controller.session.translate`."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _comments(source: str) -> dict[int, str]:
    """The comments to translators by the line after them."""
    comments: dict[int, str] = {}
    if _COMMENT not in source:
        return comments  # to take a file apart costs more than all the rest
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line, text = token.start[0], token.string.lstrip("# ")
            before = comments.pop(line, "")
            if before or text.startswith(_COMMENT):
                comments[line + 1] = f"{before} {text.removeprefix(_COMMENT)}".strip()
    return comments


class _File(Struct):
    name: str
    makers: Mapping[str, Sequence[str]]
    translators: frozenset[str]
    errors: frozenset[str]
    speaking: frozenset[str]
    strings: frozenset[str]
    phrases: frozenset[str]
    comments: Mapping[int, str]
    found: Found

    def read(self, nodes: Sequence[ast.AST]) -> None:
        called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        types = {id(part) for node in nodes if isinstance(node, _TYPED_NODES) for part in _in_types(node)}
        for node in sorted(nodes, key=lambda node: getattr(node, "lineno", 0)):
            if isinstance(node, ast.Call):
                self._call(node)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                self._help(node)
            elif isinstance(node, ast.ClassDef) and node.name in self.errors - {_ERROR}:
                self._own_error(node)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                uncalled = id(node) not in called and id(node) not in types
                known = node.id in self.makers and not node.id[0].isupper()
                if known and uncalled and self.name not in _MACHINERY:
                    self._fault(node, f"{node.id} is used without being called, so its texts are not found")

    def _call(self, call: ast.Call) -> None:
        if isinstance(call.func, ast.Name) and call.func.id in self.makers:
            self._made(call, self.makers[call.func.id])
        elif self._translates(call):
            self._made(call, ("template",))
        elif _last_name(call.func) in self.errors:
            self._must_be_texts(call.args[:2], "say")
        elif _last_name(call.func) in _DEVICE_ERRORS:
            self._must_be_texts(call.args[1:3], "sentence")
        elif _last_name(call.func) in _PARSERS:
            for word in call.keywords:
                if word.arg in _HELP and (texts := _literals(word.value)) is not None:
                    self._add(call, ({"template": text} for text in texts), ("In the help of a command.",))
                elif word.arg in _HELP and isinstance(word.value, ast.JoinedStr | ast.BinOp):
                    self._fault(call, "this help is put together, so its text is not found")

    def _help(self, node: ast.Assign | ast.AnnAssign) -> None:
        """A table of what the help says, or what stands at its end: `command.epilog = "..."`."""
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        values: list[ast.expr] = []
        if isinstance(node.value, ast.Dict) and _last_name(target) in _HELP_TABLES:
            values = node.value.values
        elif isinstance(target, ast.Attribute) and target.attr in _HELP and node.value is not None:
            values = [node.value]
        for value in values:
            for text in _literals(value) or ():
                self._add(value, ({"template": text},), ("In the help of a command.",))

    def _own_error(self, error: ast.ClassDef) -> None:
        """An error that says the same each time: `super().__init__(say(...), say(...))`."""
        for call in ast.walk(error):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "super().__init__":
                self._must_be_texts(call.args[:2], "say")

    def _must_be_texts(self, arguments: Sequence[ast.expr], maker: str) -> None:
        for argument in arguments:
            if _is_string(argument) or (isinstance(argument, ast.Name) and argument.id in self.strings):
                self._fault(argument, f"this error cannot be translated: write {maker}(...)")

    def _translates(self, call: ast.Call) -> bool:
        """Whether a `Translator` is called. `text.translate(table)` is a method of str."""
        if isinstance(call.func, ast.Name):
            return call.func.id in self.translators
        if isinstance(call.func, ast.Call):  # spoken(file)("...")
            return _last_name(call.func.func) in self.speaking
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in self.translators:
            return False
        literal = bool(call.args) and _literals(call.args[0]) is not None
        return call.func.attr != "translate" or literal or _last_name(call.func.value) in _OWNERS

    def _made(self, call: ast.Call, names: Sequence[str]) -> None:
        """A call that makes a text of its arguments."""
        for fact in call.keywords if self.name not in _MACHINERY else ():
            named = isinstance(fact.value, ast.Name) and fact.value.id in self.phrases
            if fact.arg not in names and (named or _has_words(fact.value)):
                self._fault(
                    fact.value, f"the fact {fact.arg} is in English in every language: make a text of it"
                )
        given = dict(zip(names, call.args, strict=False))
        if any(isinstance(argument, ast.Starred) for argument in call.args[: len(names)]):
            given = {}
        elif len(names) > 1:  # the keywords of say() are facts
            given |= {
                word.arg: word.value for word in call.keywords if word.arg is not None and word.arg in names
            }
        texts: dict[str, list[str]] = {}
        for name in _TEXTS.intersection(names):
            if name not in given and name in ("plural", "context") and "facts" in names:
                continue
            literals = _literals(given[name]) if name in given else None
            if literals is None and self.name in _MACHINERY:
                return
            if literals is None:
                self._fault(call, f"this text is not a literal: {ast.unparse(call)[:100]}")
                return
            texts[name] = literals
        if "short" in texts:
            for name, about in _ABOUT_RULES.items():
                self._add(call, ({"template": text} for text in texts[name]), (about,))
        elif len({len(literals) for literals in texts.values()}) != 1:
            self._fault(call, "write the condition outside: one call for each text")
        else:
            alternatives = zip(*texts.values(), strict=True)
            self._add(call, (dict(zip(texts, one, strict=True)) for one in alternatives))

    def _add(
        self, call: ast.expr, texts: Iterable[Mapping[str, str]], comments: tuple[str, ...] = ()
    ) -> None:
        if own := self.comments.get(call.lineno):
            comments = (*comments, own)
        for parts in texts:
            if parts["template"]:
                template = Template(**parts, files=(self.name,), comments=comments)
                self.found.add(template, f"{self.name}:{call.lineno}")

    def _fault(self, node: ast.expr, fault: str) -> None:
        self.found.faults.append(f"{self.name}:{node.lineno}: {fault}")


def _in_types(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("annotation", "returns"):
        annotation = getattr(node, name, None)
        if annotation is not None:
            yield from ast.walk(annotation)


def _literals(node: ast.expr) -> list[str] | None:
    """The texts that an expression may be; None if that cannot be said without running it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        both = [_literals(node.body), _literals(node.orelse)]
        if None not in both:
            return [text for texts in both if texts is not None for text in texts]
    return None
