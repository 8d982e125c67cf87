#!/bin/busybox sh
# In the place of a system: loads what Debian has for the parts of a Raspberry Pi 3, and says what came of it.
/bin/busybox --install -s /bin
export PATH=/bin
mkdir -p /proc /sys /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
dmesg -n 1 # the console is for these words
echo "board: $(tr -d '\0' < /proc/device-tree/model), $(hexdump -e '4/1 "%02x"' /proc/device-tree/system/linux,revision)"
for module in /modules/*.ko; do insmod "$module"; done
at=0
until grep -q Keyboard /proc/bus/input/devices && [ -b /dev/mmcblk0p2 ] && [ -b /dev/sda ] || [ $at = 120 ]; do
    sleep 1 && at=$((at + 1))
done
sleep 20 # parts that wait for others are given up by then
mkdir -p /firmware /system
mount -t vfat -o ro /dev/mmcblk0p1 /firmware && echo "card: $(ls /firmware | tr '\n' ' ')"
mount -t ext4 -o ro /dev/mmcblk0p2 /system && echo "system: $(cat /system/etc/hostname)"
echo "stick: $(cat /sys/block/sda/device/vendor)"
echo "keyboard: $(grep Keyboard /proc/bus/input/devices)"
echo "picture: $(cat /sys/class/graphics/fb0/virtual_size)"
echo "display: $(ls /sys/class/drm | grep -c card)"
for chip in /sys/class/gpio/gpiochip*; do
    grep -q pinctrl-bcm2835 "$chip/label" || continue
    pin=$(($(cat "$chip/base") + 17))
    echo $pin > /sys/class/gpio/export
    cd /sys/class/gpio/gpio$pin && echo out > direction
    echo "pin: $(for level in 1 0 1; do echo $level > value && cat value; done | tr '\n' ' ')"
done
echo "watchdog: $(ls /dev/watchdog0)"
echo "told: all"
sleep 1000000
