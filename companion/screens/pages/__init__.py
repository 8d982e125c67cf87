"""Every screen but the race, the way to it and what goes on around races: `home`, `rules`, `sheets` and the `sheet` of
one race with `after` and `exporting`, its `analysis`, `history`, the referee's word (`override`, with its
`value_list`), `settings`, `status` with `version` and `touch_check`, `phones` with their codes, the `hall` that this
table is in, `language` at the first start, and `trouble`, where no other can be shown.
"""
