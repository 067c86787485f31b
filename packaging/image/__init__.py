"""The card of a Raspberry Pi as one file: Debian, the program, and what starts them. `make image` runs it.

A part of this package makes one piece: `base` Debian's packages, `root` the file system of the box, `initrd`
what mounts it, `card` the file that people write to their card, `update_file` the same
for a card that is there already, `parts_list` what is inside. docs/image.md shows the whole.
"""
