"""What players see and press: one page per question, one file per kind of page.

Theory of operation
-------------------
*A page is a value.* It is a frozen struct: the question it asks, and what was entered so far, such as
where the cursor is. `draw` makes a picture of it and of the session, `keys` says what each key does now. A
page never changes. A key that moves its cursor makes another page and shows that in its place. So a page can
be compared, drawn twice and thrown away, and nothing has to be cleaned up.

*A page knows nothing of who shows it.* It asks for what it needs through `Table` of `firmware.play`: propose
a command, open another page, sound a signal. It reads the match through `Session`. It never sees the journal,
the history, the configuration or a device; `make check` holds it to that.

*Nobody asks which page it is.* What others have to know of a page are members of `Page`: whether OK goes
on, whether a late card may belong to it, whose points it would change.

*A page decides nothing about the game.* It turns keys and badges into an answer to the open question
(`game.read`) and proposes that. The referee rules, and a refusal is a page like any other.

*Keys are a map.* A page gives the keys that it answers, what each does, and how players learn of it: by a
hint on the page, or in words in the help. `Page.handle` in `base` is the one place that looks them up. Cards,
badges and numbers are answered by `take_card`, `take_badge` and their like. So a key that works is always
told, and one that does not work never is.

*There are few kinds.* A list (`ListPage`), a question before something is done (`Confirm`), sentences
(`Message`), a number or a card that is set (`Dial`, `number_keys`), and tables of scores (`draw_scores`). A
list holds the cursor and turns the pages, so that it may be of any length. `Page.framed` draws the title and
the hints, with which most pages begin; `Page.shows` is a key that shows the page with other fields.

A page is opened by the page that leads to it, by `menu`, or, where it asks the open question of the match,
by `flow`. What is kept for later - the line of a list, the hint of a key, a title, what is said
over a page - is a `Text`; it is translated when it is drawn. `draw` itself translates with `t(...)`.
"""
