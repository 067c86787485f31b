"""A table as a workbook (ECMA-376, Office Open XML), which any spreadsheet opens without a question.

A whole number is a number, everything else a text: no cell is a formula, or a date because it looks like one.
"""

import io
import re
from collections.abc import Iterable
from typing import Final
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SCHEMA: Final = "http://schemas.openxmlformats.org"
_MAIN: Final = f"{_SCHEMA}/spreadsheetml/2006/main"
_OFFICE: Final = f"{_SCHEMA}/officeDocument/2006/relationships"
_PACKAGE: Final = f"{_SCHEMA}/package/2006"
_TYPE: Final = "application/vnd.openxmlformats-"
_TYPE_OF: Final = f"{_TYPE}officedocument.spreadsheetml"
_SHEET: Final = "xl/worksheets/sheet1.xml"
_PARTS: Final = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    f'<Default Extension="rels" ContentType="{_TYPE}package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE_OF}.sheet.main+xml"/>'
    f'<Override PartName="/{_SHEET}" ContentType="{_TYPE_OF}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="nimmt" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
_NOT_IN_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def workbook(rows: Iterable[Iterable[object]]) -> bytes:
    """The file (`.xlsx`) with these rows on its only sheet."""
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as book:
        for name, content in _PARTS.items():
            book.writestr(ZipInfo(name), _HEAD + content)
        with book.open(ZipInfo(_SHEET), "w") as sheet:
            sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            for row in rows:
                sheet.write(f"<row>{''.join(map(_cell, row))}</row>".encode())
            sheet.write(b"</sheetData></worksheet>")
    return file.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, int):
        return f"<c><v>{value}</v></c>"
    text = escape(_NOT_IN_XML.sub("\ufffd", str(value)))
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
