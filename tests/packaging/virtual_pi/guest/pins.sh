#!/bin/sh
# The pins of a Raspberry Pi 4: a simulated bank with the label of its chip, and a /proc/cpuinfo with its revision.
set -e
modprobe gpio-sim
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
bank=/sys/kernel/config/gpio-sim/pi/bank0
mkdir -p "$bank"
echo 54 >"$bank/num_lines"
echo pinctrl-bcm2835 >"$bank/label"
echo 1 >/sys/kernel/config/gpio-sim/pi/live
mkdir -p /run/virtual-pi
ln -sfn "/sys/devices/platform/$(cat /sys/kernel/config/gpio-sim/pi/dev_name)/$(cat "$bank/chip_name")" \
    /run/virtual-pi/pins
{
    cat /proc/cpuinfo
    printf 'Hardware\t: BCM2835\nRevision\t: c03112\nSerial\t\t: 0000000000000000\nModel\t\t: virtual\n'
} >/run/virtual-pi/cpuinfo
