#!/bin/sh
# Start or stop the table's own network, as the file WANTED says, and say in the file FAULT in one word why it did not
# start: the screen shows a sentence for it. Usage: access-point.sh WANTED FAULT
fault=$2
profile=$(sed -n 's/^uuid=//p' "${0%/*}/companion-table.nmconnection")

fail() {
    echo "$1" > "$fault.new" && mv "$fault.new" "$fault"
    exit 1
}

# The states of the wireless cards, one a line.
cards() {
    nmcli -g TYPE,STATE device | sed -n 's/^wifi://p'
}

read -r wanted < "$1"
[ "$wanted" = on ] || exec nmcli --wait 20 connection down uuid "$profile"

rm -f "$fault"
# A card that was written without a wireless network comes with its radio off, and stays so until somebody wants it.
nmcli radio wifi on || fail manager
[ -n "$(cards)" ] || fail card
for _ in 1 2 3 4 5 6 7 8 9 10; do
    cards | grep -qv '^unavailable' && break
    sleep 1
done
[ "$(nmcli -g WIFI-HW,WIFI radio)" = enabled:enabled ] || fail radio
cards | grep -qv '^unavailable' || fail radio
nmcli -g connection.uuid connection show uuid "$profile" > /dev/null || fail profile
nmcli --wait 20 connection up uuid "$profile" || fail failed
