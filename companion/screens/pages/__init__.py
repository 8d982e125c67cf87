"""Every screen outside the race itself.

`home` is the start. `sheets` lists the stored races; a race has its `sheet` with `after` and `exporting`, its
`analysis`, its `history` and the referee's `override` with `value_list`. `rules`, `settings`, `phones` and `hall` stand
on their own. `status`, with `version` and `touch_check`, is about the machine. `language` asks at the first start, and
`trouble` is shown when no other screen can be.
"""
