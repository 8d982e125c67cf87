"""A machine like the real one: a Debian under qemu with the appliance in it, its display, its hands, its stick and its
plug. README.md tells how it is run and what it has shown.

`__main__` are its commands, `scenarios` what is tried, each a function, and `test_machine` the same for pytest.

`host` is the machine it runs on, `shelf` what was made once and is kept, `image` the guest's disks, `guest` a machine
that runs, `talk` the lines to it, `display` its picture, `pins` a header that the kernel simulates. `bench` is where a
scenario works, `racing` the races it works with, `carried` what runs in the guest.

`recording` notes what goes to a table's disk, `writes` makes of that the disk after a cut, `cuts` tries thousands of
them; `test_cuts` tries a few.
"""
