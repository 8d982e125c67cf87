"""Many tables and one race control: sending logs, the ledger, and race control's pages.

A table's own log is the truth, and its race never waits for anybody. Race control has a copy of every log in its
`ledger`, a database like a table's own, so that whatever reads races reads it too. What comes in is asked for its log,
its number and its hash, never for the way it came: over a network that loses and doubles, or as a file on a stick, the
same entry comes in once. The `outbox` is the table's side: it reads the log from where race control says that its copy
ends, and knows whether anybody hears it.

Between the two stands NATS, a program of its own. `broker` runs one; `wire` is what is said over it, `nats_client` a
connection in a thread of its own, with the `keys` that NATS has and the certificate that is `pinned`; `carrier` is the
table's end and `intake` race control's. `members` are the tables in a hall and those who speak for it; `joining` is how
one comes in, `discovery` how it finds the hall, `membership` what it keeps of that; `calling` is how the table calls
the referee, `obeying` enters what race control rules into the race there, and `changing` is what that may set
otherwise. By `starting` a table gets the races of the tournament, by `timing` its trials; `receiving` takes times and
results back into it. A hall may itself be in a `championship`. `takeover` goes on with the race of a machine that is
dead.

`floor` follows every table's race, `snapshot` is what the pages show of them at one moment; `pages` write it, `feeds`
tell other programs of it, `server` answers, and `running` is the whole of race control.
"""
