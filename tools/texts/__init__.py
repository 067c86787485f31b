"""The texts of the program and their translations: `make texts` and the part of `make check` about them.

Every text that people can see is a template in the source code. `extract` finds all of them, and refuses a
text that it cannot find, such as one that is put together while the program runs. `po_file` writes the
templates as firmware/text/catalogues/nimmt.pot, and merges them into the catalogue of each language. `check`
says what is wrong with a translation.

The tool is ours, and not Babel or xgettext, because no extractor knows our calls and their rules, and because
what it writes has to be the same everywhere. The files are those of GNU gettext: translators use Poedit,
Weblate or an editor.
"""
