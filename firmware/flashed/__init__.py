"""The card of a box that was flashed as an image: its two slots, and which of them runs.

The first partition of the card has two folders, `a` and `b`, the slots. Each holds a whole system: kernel,
initrd and the read-only root. U-Boot starts the one that its variable `nimmt_slot` names, or once the one in
`nimmt_try`: it clears that variable *before* it starts that slot. So a version on trial is started once; any
reset, also one by the watchdog or a pulled plug, goes back to the confirmed one. A slot that is incomplete
holds a file `broken`, and U-Boot passes it over.

`slots` knows which slot is what and mounts the partition for writing, `uboot_env` reads and writes U-Boot's
variables, `versions` says which of two versions is older.
"""
