"""Printed sheets: card labels, badges, the control sheet, table cards, scanner set-up codes, the test page.

Theory of operation
-------------------
A request comes in words and numbers (`print_job.PrintRequest`) and is checked as a whole before anything is
drawn: either the whole PDF is made or an `InvalidRequest` says what will not do and what would. `document`
then draws page by page with a `Pen`, which measures in millimetres from the upper left corner of the page;
reportlab and its points stay behind the pen.

The same print job gives the same bytes, on any day and machine. So the tests can compare documents, and a
club can print missing labels again. Every code is made by a library as modules (`symbols`), chosen as large
as its place allows (`stock`), and read back by the tests as a scanner would.

Sheets know the codes and the games of `companion`, and nothing of devices or of the program.
"""
