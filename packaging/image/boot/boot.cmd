# What U-Boot runs. It starts the slot on trial once, else the slot that is confirmed, else the other one.
# mkimage makes boot.scr of it. Works with U-Boot's own variables too, if uboot.env cannot be read.
if test -z "${devnum}"; then setenv devnum 0; fi
if test -z "${nimmt_slot}"; then setenv nimmt_slot a; fi
if test "${nimmt_slot}" = a; then setenv nimmt_other b; else setenv nimmt_other a; fi
setenv nimmt_order "${nimmt_slot} ${nimmt_other}"
if test -n "${nimmt_try}"; then
    setenv nimmt_order "${nimmt_try} ${nimmt_order}"
    setenv nimmt_try
    # Cleared before it starts: whatever happens to it, the next start is the confirmed one. Only these variables are
    # kept. saveenv would keep those of this board too, such as where its device tree is.
    env export -c -s @ENVIRONMENT_BYTES@ @ENVIRONMENT@ bootcmd bootdelay nimmt_args nimmt_slot
    if fatwrite mmc ${devnum}:1 @ENVIRONMENT@ uboot.env @ENVIRONMENT_BYTES@; then
        echo "nimmt-boot: the trial is noted"
    else
        echo "nimmt-boot: the trial cannot be noted, so there is none"
        setenv nimmt_order "${nimmt_slot} ${nimmt_other}"
    fi
fi
setenv kernel_comp_addr_r @UNPACKED@
setenv kernel_comp_size @UNPACKED_SIZE@
for slot in ${nimmt_order}; do
    echo "nimmt-boot: slot ${slot}"
    if test -e mmc ${devnum}:1 ${slot}/broken; then
        echo "nimmt-boot: slot ${slot} is marked as broken"
    elif test -e mmc ${devnum}:1 ${slot}/root.sfs; then
        if load mmc ${devnum}:1 @KERNEL@ ${slot}/cmdline && env import -t @KERNEL@ ${filesize}; then
            setenv bootargs "${nimmt_cmdline} nimmt.slot=${slot} ${nimmt_args}"
            if load mmc ${devnum}:1 @INITRD@ ${slot}/initrd; then
                setenv nimmt_initrd ${filesize}
                if load mmc ${devnum}:1 @KERNEL@ ${slot}/kernel; then
                    booti @KERNEL@ @INITRD@:${nimmt_initrd} ${fdt_addr}
                fi
            fi
        fi
    fi
    echo "nimmt-boot: slot ${slot} did not start"
done
# Neither of them is whole. A mark may be wrong, so the next round is made without them.
for slot in a b; do
    if test -e mmc ${devnum}:1 ${slot}/broken; then fatrm mmc ${devnum}:1 ${slot}/broken; fi
done
sleep 10
reset
