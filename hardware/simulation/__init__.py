"""What real drivers stand on, simulated: buses, pins, serial lines, panels and scanners.

Theory of operation
-------------------
A simulated display that says "I was told to draw" would prove nothing about a driver. So the cut is made as
low as it can be: our driver, the library that it uses and the library below that one are all real, and only
what talks to the kernel is replaced.

| device | real | simulated |
|---|---|---|
| I2C panel | driver, luma, smbus2 | open and ioctl of /dev/i2c-N (`buses`), and a panel on it |
| SPI panel | driver, luma | the C module spidev (`buses`), and a panel on it |
| keys, buzzer | drivers, gpiozero, gpiod | the C module gpiod._ext (`gpio_chip`) |
| serial scanner | driver, pyserial, a tty | the tty's other end (`scanner_line`), its speed (`uart`) |
| keyboard scanner | driver | the event file and its ioctl (`keyboard_scanner`) |
| USB ports | pyserial's search | /dev and /sys in a folder (`SimulatedUsbSerial`) |

A simulated panel (`panels`) sees nothing but the bytes of its bus, and answers one question:
which picture would be seen? It is written from the data sheets and shares no code with a driver, so a driver
that is wrong about a command shows a wrong picture.

Everything can fail: a plug pulled after so many bytes, one byte that is not acknowledged, a pin that another
program has, a wire with noise, a supply voltage that drops. `Traffic` counts what a bus has carried and how
long a real one would take; with `real_time` a write takes that long, for the benchmarks.

These are for tests and benchmarks. Devices without hardware that the product itself uses, such as the display
in a terminal, are drivers.
"""
