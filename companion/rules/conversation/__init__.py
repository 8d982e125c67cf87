"""The ground under every rulebook: a race as a conversation between referee and table.

`asking` has the messages of the conversation: questions with their options, answers, rulings; `kinds` the closed lists
of their kinds. `forms` are the shapes of questions, `faces` the dice that may be asked for. `conversation` runs a
rulebook step by step, keeps the answers and rewinds. `rulebook` is the base of rulebooks and their chapters: the state
as bytes, noting a ruling, the referee's word. `consequence` tries on a scratch copy what an answer may bring, with its
likelihoods. `figures` are the tables of a rulebook's numbers; `setup` reads a setup and `typed` checks it and makes
types of what is read, for one thread at a time; `shelf` registers things by name, those of installed packages too;
`changes` lists the differences of two states; `shuffling` is an order that is the same on every machine; `overriding`
marks the methods that a variant rewrites, and has type variables with a default. `text` names the marks that a name may
not contain. `errors` is the tree of errors.

Begin with `asking`. This room imports no other.
"""
