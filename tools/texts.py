"""The texts of the program and their translations: `make texts`, and the part of `make check` about them.

Every text that people can see is a literal in one of these calls:

    say("{card} goes to row {row}", card=..., row=...)      from companion.text.sentence
    in_context("a title", "TAKES")
    count("{count} card", "{count} cards", number)
    Rule("6N-1", "the rulebook", "ASCENDING NUMBERS", "A card ...")
    t("OK=NEXT"), session.translate("UNDONE")               a `Translator`
    rules.DRAFT.demands(table.drafting, "there is no draft", "play a card")   or .forbids, .because
    sentence("no scanner at {port}", port=...)              of a device, from hardware.errors
    option("the speed of the port, in baud", low=300)       a key of the configuration

The literal may be chosen by a condition: say("won" if won else "lost"). A comment above it that begins with
"Translators:" is shown to the translators. A template of a page uses the same calls `t` and `in_context`,
and `script_text` for what its script says.

The English catalogue is written by hand: it has spoken forms of texts, which are translated as well.

Babel writes the templates as firmware/text/catalogues/nimmt.pot, merges them into the catalogue of each
language, and compiles what `gettext` reads. The same texts give the same bytes: no dates, no line
numbers, no wrapped lines. A translation stays as long as its text exists; nothing is guessed.
"""

import ast
import io
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from gettext import c2py
from itertools import zip_longest
from pathlib import Path
from string import Formatter
from typing import Any, BinaryIO, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from firmware.extensions.speech.phrases import SPEECH
from firmware.text.translation import CATALOGUES, DEFAULT, LANGUAGES, catalogue_of

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("companion", "hardware", "firmware", "network")
_KINDS: Final = ("*.py", "templates/*.html", "templates/*.svg")

_MACHINERY: Final = frozenset({
    "companion/text/sentence.py",  # says what a text is
    "companion/core/ruling.py",  # makes texts of the rules, whose parts are extracted where they are defined
    "firmware/text/translation.py",
    "hardware/options.py",  # keeps what each key of the configuration is about
})  # fmt: skip
"""The files that make texts of what they are given."""

_ARGUMENTS: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(("say", "t", "script_text", "translate", "sentence", "option"), ("template",)),
    "count": ("template", "plural"),
    "in_context": ("context", "template"),
}
"""What makes a text, and which of its texts the first arguments are."""

_FUNCTIONS: Final = {"count": "ngettext", "in_context": "pgettext"}
"""As what Babel knows them; all others are gettext."""

ENGLISH: Final = (
    "companion/core/codec.py", "companion/match/log.py", "companion/protocol/messages.py",
    "companion/protocol/referee.py", "companion/protocol/snapshot.py", "companion/text/codec.py",
    "firmware/cli/", "firmware/commands/", "firmware/journal/", "firmware/setup/", "firmware/table_socket/",
    "firmware/config/configuration.py", "firmware/history/exported.py", "firmware/history/usb_stick.py",
    "firmware/paper/print_job.py", "firmware/paper/stock.py", "firmware/plugins.py",
    "firmware/service/overlays.py", "firmware/extensions/camera/check.py",
    "firmware/extensions/camera/command.py", "firmware/extensions/speech/check.py",
    "firmware/extensions/speech/command.py", "network/hub/certificates.py", "network/hub/command.py",
    "network/mqtt/broker.py", "network/mqtt/command.py", "network/mqtt/payloads.py", "network/web/command.py",
)  # fmt: skip
"""What people who type read, what programs exchange, faults of what is stored: see docs/languages.md."""

FOR_PLAYERS: Final = (
    "firmware/commands/records.py", "firmware/commands/show.py", "firmware/table_socket/as_text.py",
)  # fmt: skip
"""Of these what players read in a terminal: matches and the table."""

_MODULES: Final = frozenset({
    "companion.core.ruling", "companion.text.sentence", "hardware.errors", "hardware.options",
})  # fmt: skip
"""Where they come from; `t` and `translate` are translators everywhere."""

_METHODS: Final = {"translate": 1, "_translate": 1, "because": 1, "forbids": 2, "demands": 3}
"""Methods of a translator or a rule: how many of the first arguments may be texts."""

_RULE: Final = {
    "source": "Where a rule stands: the rulebook and its section, as the edition in this language calls it.",
    "short": "The title of a rule: one line of the display, at most 21 letters.",
    "full": "A rule, in full.",
}
_TRANSLATORS: Final = "Translators:"

_DATE: Final = datetime(2026, 1, 1, tzinfo=UTC)
_HEADER: Final = (
    "# The texts of nimmt-companion. `make texts` writes this file; CONTRIBUTING.md says how to translate."
)

_EXTRACTOR: Final = "tools.texts:extracted"

_Found = tuple[int, str, Any, list[str]]
"""Line, function of gettext, its arguments, comments: what Babel wants of an extractor."""


def extracted(
    file: BinaryIO, _keywords: object, _tags: object, options: Mapping[str, Any]
) -> Iterator[_Found]:
    """The texts of a source file or a template, for Babel. Raises `ValueError` for one that is no literal."""
    if options["name"].endswith((".html", ".svg")):
        yield from _of_template(file, options["name"])
        return
    source = file.read().decode()
    lines = source.splitlines()
    nodes = list(ast.walk(ast.parse(source)))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module in _MODULES]
    known = {"t", "translate"} | {alias.name for node in imports for alias in node.names}
    if options["name"] in _MACHINERY:
        known |= _ARGUMENTS.keys()
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        about = _comments(lines, call.lineno)
        try:
            for function, words, more in _texts(call, known):
                if all(words):
                    yield call.lineno, function, words, [*more, *about]
        except ValueError:
            if options["name"] not in _MACHINERY:
                raise ValueError(
                    f"{options['name']}:{call.lineno}: this text is not a literal: {ast.unparse(call)[:100]}"
                ) from None


def _of_template(file: BinaryIO, name: str) -> Iterator[_Found]:
    calls = babel_extract(file, ("t", "in_context", "script_text"), (_TRANSLATORS,), {"silent": "false"})
    for line, function, given, about in calls:
        words = (given if isinstance(given, tuple) else (given,))[: len(_ARGUMENTS[function])]
        if None in words:
            raise ValueError(f"{name}:{line}: this text is not a literal")
        yield line, _FUNCTIONS.get(function, "gettext"), words, about


def _texts(call: ast.Call, known: Collection[str]) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The function of gettext for each text of a call, its arguments, and what is said about it.

    `known` are the functions that make texts in this file.
    """
    name = call.func.id if isinstance(call.func, ast.Name) and call.func.id in known else ""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS:  # a text may be made elsewhere
        values = call.args[: _METHODS[call.func.attr]]
        yield from (("gettext", (text,), ()) for value in values for text in _literals(value) or ())
    elif name == "Rule":
        given = dict(zip(("key", *_RULE), call.args, strict=False))
        given |= {word.arg: word.value for word in call.keywords if word.arg}
        for part, about in _RULE.items():
            yield from (("gettext", (text,), (about,)) for text in _must_be(given.get(part)))
    elif name in _ARGUMENTS:
        parts = _ARGUMENTS[name]
        alternatives = [_must_be(value) for _, value in zip_longest(parts, call.args[: len(parts)])]
        for words in zip(*alternatives, strict=True):
            yield _FUNCTIONS.get(name, "gettext"), words, ()


def _must_be(node: ast.expr | None) -> list[str]:
    """The texts that an expression may be. Raises `ValueError` if that cannot be said without running it."""
    texts = None if node is None else _literals(node)
    if texts is None:
        raise ValueError
    return texts


def _literals(node: ast.expr) -> list[str] | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        one, other = _literals(node.body), _literals(node.orelse)
        return None if one is None or other is None else one + other
    return None


def _comments(lines: Sequence[str], line: int) -> list[str]:
    """The comment to translators above a line (from 1)."""
    above: list[str] = []
    for text in map(str.strip, reversed(lines[: line - 1])):
        if not text.startswith("#"):
            return []
        above.insert(0, text.lstrip("# "))
        if above[0].startswith(_TRANSLATORS):
            return [" ".join(above).removeprefix(_TRANSLATORS).strip()]
    return []


def template(root: Path = ROOT) -> Catalog:
    """All texts below a folder, in the order of files and lines. Raises `ValueError`."""
    found = _catalogue()
    folders = [root / package for package in PACKAGES]
    for path in (path for in_ in folders for kind in _KINDS for path in sorted(in_.rglob(kind))):
        name = path.relative_to(root).as_posix()
        with path.open("rb") as file:
            for line, words, comments, context in extract(_EXTRACTOR, file, options={"name": name}):
                if name.startswith(ENGLISH) and name not in FOR_PLAYERS:
                    raise ValueError(
                        f"{name}:{line}: this is not for players: write it in English, {words!r}"
                    )
                found.add(words, locations=[(name, 0)], auto_comments=comments, context=context)
    return found


def add_spoken(texts: Catalog, english: Catalog) -> Iterator[str]:
    """Add the texts of the English catalogue; gives a fault for each whose written text is gone."""
    for message in list(english)[1:]:  # without the header
        text, *_ = forms(message.id)
        written = texts.get(text)
        if written is None:
            yield f"{text!r} is no text: give its spoken form to the one in its place, or remove it"
        about = f"Spoken, in English: {forms(message.string)[-1]}"
        places = written.locations if written else ()
        texts.add(message.id, locations=places, context=message.context, auto_comments=[about])


def _catalogue(language: str | None = None) -> Catalog:
    return Catalog(
        language, project="nimmt-companion", creation_date=_DATE, header_comment=_HEADER, fuzzy=False
    )


def merged(file: Path, language: str, texts: Catalog) -> Catalog:
    """The catalogue of a language in a file with exactly these texts; without the file a new one."""
    catalogue = _read(file, language)
    catalogue.update(texts, no_fuzzy_matching=True)
    return catalogue


def _read(file: Path, language: str) -> Catalog:
    if not file.exists():
        return _catalogue(language)
    with file.open("rb") as opened:
        return read_po(opened, language)


def written(catalogue: Catalog) -> bytes:
    """The content of the file of a catalogue; translations whose text is gone are left out."""
    file = io.BytesIO()
    write_po(file, catalogue, width=0, include_lineno=False, ignore_obsolete=True)
    return file.getvalue()


def compiled() -> None:
    """Write what `gettext` reads of all catalogues."""
    for catalogue in CATALOGUES.glob("*/*/nimmt.po"):
        with catalogue.with_suffix(".mo").open("wb") as file:
            write_mo(file, _read(catalogue, catalogue.parts[-3]))


def faults(catalogue: Catalog, *, complete: bool, english: Catalog | None = None) -> Iterator[str]:
    """Each fault of a catalogue in a line. A `complete` one must have every translation, and no fuzzy one.

    A spoken form has the fields of the one in the `english` catalogue, which may leave out those of the text.
    """
    rule, many = c2py(catalogue.plural_expr), catalogue.num_plurals
    if {rule(number) for number in range(1000)} - set(range(many)):
        yield f"the rule of the header gives other plural forms than 0 to {many - 1}"
    for message in catalogue:
        if message.id:
            text, *_ = forms(message.id)
            spoken_form = english.get(text, message.context) if english else None
            like = forms(spoken_form.string if spoken_form else message.id)
            yield from (f"{text!r}: {fault}" for fault in _of(message, many, like, complete=complete))


def _of(message: Message, many: int, like: Iterable[str], *, complete: bool) -> Iterator[str]:
    said = forms(message.string)
    if not any(said):
        if complete:
            yield "has no translation"
        return
    if message.fuzzy and complete:
        yield "is fuzzy: somebody has to say whether the translation is right"
    if len(said) != (many if message.pluralizable else 1) or not all(said):
        yield f"needs {many} plural forms, and has {sum(map(bool, said))}"
    try:
        fields = set[str]().union(*map(_fields, like))
    except ValueError as bad:
        yield f"cannot be filled in: {bad}"
        return
    # A plural form may leave its number out ("one card"), and name what only one of the English forms names.
    free = {"count"} if message.pluralizable else set()
    if message.context in SPEECH and forms(message.id) == like:  # English: a question says who is asked
        free |= {*fields, "asked", "card"}
    for form in filter(None, said):
        try:
            others = (_fields(form) | free) ^ (fields | free)
        except ValueError as bad:
            yield f"{form!r} cannot be filled in: {bad}"
            continue
        if others:
            yield f"{form!r} has other fields: {', '.join(sorted(others))}"


def forms(texts: str | Iterable[str] | None) -> tuple[str, ...]:
    """The plural forms of a message, or its only one."""
    return (texts or "",) if isinstance(texts, str | None) else tuple(texts)


def _fields(text: str) -> set[str]:
    """The fields of a text. Raises ValueError for one that is more than a name."""
    fields = set()
    for _, name, how, conversion in Formatter().parse(text):
        if name is not None:
            if how or conversion or not name.isidentifier():
                raise ValueError(f"write {{{name.partition('.')[0]}}} and nothing else in the braces")
            fields.add(name)
    return fields


def wrong(*, write: bool) -> Iterator[str]:
    """What is wrong with the catalogues; `write` brings them up to date first. `ValueError`: a wrong text."""
    texts = template()
    english = _read(catalogue_of(DEFAULT), DEFAULT)
    yield from add_spoken(texts, english)
    files = {catalogue_of(language): language for language in LANGUAGES}
    made = {file: merged(file, language, texts) for file, language in files.items() if language != DEFAULT}
    made[catalogue_of(DEFAULT)] = english
    for file, catalogue in {CATALOGUES / "nimmt.pot": texts, **made}.items():
        name, content = file.relative_to(ROOT), written(catalogue)
        if write:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        elif not file.exists() or file.read_bytes() != content:
            yield f"{name}: not up to date; type: make texts"
        if file in files:
            complete = LANGUAGES[files[file]].complete
            like = None if files[file] == DEFAULT else english
            yield from (f"{name}: {fault}" for fault in faults(catalogue, complete=complete, english=like))
    for folder in {path.parent for path in CATALOGUES.glob("*/*/*.po")} - {file.parent for file in files}:
        yield f"{folder.relative_to(ROOT)}: add it to LANGUAGES in firmware/text/translation.py"


def main() -> int:
    """Write and compile the catalogues, or check them (`--check`); the exit status is that of the check."""
    write = "--check" not in sys.argv
    try:
        found = list(wrong(write=write))
    except ValueError as bad:
        sys.exit(str(bad))
    if write:
        compiled()
    for fault in found:
        sys.stderr.write(f"{fault}\n")
    return bool(found) and not write


if __name__ == "__main__":
    sys.exit(main())
