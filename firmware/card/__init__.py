"""What a box that was flashed as an image reads from its card at each start, and how it begins.

Theory of operation
-------------------
The first partition of the card can be opened on any computer. It has files that people edit: `nimmt.toml`,
the configuration of the game; `wifi.txt`, `host.txt` and `authorized_keys`. The root of the box is read-only,
with a layer in memory above it that is empty at each start. So nothing has to be changed back: `settings`
writes what these files say into that layer, before the game starts, and a file that is gone has no effect.

A file with a fault is left out as a whole, and the fault is told on the display (`faults`). The game's
configuration is the exception: it is handed on as it is, and the game uses the last one that was good.

`text_files` knows what stands in the files, whatever editor has written them. `first_start` finds the panel
where nobody has said which one it is, and `light` blinks for those who have no picture at all.
"""
