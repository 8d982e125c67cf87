"""Tests of the drivers that know how far away the flag is."""
