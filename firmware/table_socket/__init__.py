"""The table's socket: other programs of this machine follow the table, and act on it as devices do.

Theory of operation
-------------------
*Two threads, and what passes between them.* After every look the game thread tells `feed.Feed` what has
happened (`firmware.play.effects`). It puts frozen values together (`Seen`) and hands them over: that
takes a few microseconds and waits for nothing. The thread of `server.TableSocket` makes messages of them
(`events`), as `messages` declares them.

*The picture comes first.* The server waits for a moment before it works on what was handed over, so that the
display has its picture before other programs want to know of it. What came meanwhile is told together: of
two pictures only the newer one is sent.

*Events are numbered, and a gap is closed by a snapshot.* A client that reads too slowly misses events. As
soon as it has read what was waiting for it, it gets a snapshot instead. One that does not read at all is
dropped.

*Nothing hidden leaves.* Of a match the messages have what `companion.protocol.snapshot` makes, nothing else.

*An act is a message of a device.* A client that may act (`access`) sends what a scanner, a key or a keyboard
would post. It goes into the same queue, and the answer says what came of it.

*Optional parts have words of their own.* An `Extension` declares the acts that it takes, and the values that
it sends.

The protocol is described in docs/table-socket.md; `schema` says it in JSON Schema.
"""
