"""What is to be shown, as plain typed data, for every way of showing: screens, phones, paper, terminal.

`shown`, `shown_board` and `shown_race` are the shapes; `sight` is what each view is made from: the desk as it stands,
with the words for it (`worded` calls spaces as people do, `citing` articles). `brought` is what all read of rulings
that were given, `price` what an answer costs, `framing` what part of the board is looked at.

The rooms: `race` is the picture of a race at one moment, `setup` what is chosen before it, `seats` who answers in it
and what is said to them, `pages` what is read beside it and after it, `phones` what phones and walls show;
`commissioner` is around races, of a tournament, a season and trials.

Begin with `race`. From here the arrows go to the desk, the sheets, the words and the rules; nothing here draws.
"""
