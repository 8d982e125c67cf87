"""The die-roller's own program, for a Raspberry Pi Pico. All but `pico` and `segments` runs on a computer as well."""
