"""Many tables and one race control, pure of any network: what a table sends, and how it comes into the ledger.

A table's own log is the truth, and its race never waits for anybody. Race control has a copy of every log in its
`ledger`, a database like a table's own, so that whatever reads races reads it too. What comes in is asked for its log,
its number and its hash, never for the way it came: over a network that loses and doubles, or as a file on a stick, the
same entry comes in once. The `outbox` is the table's side: it reads the log from where race control says that its copy
ends, and knows whether anybody hears it.
"""
