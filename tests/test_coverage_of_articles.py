"""Every article of the competition is held by a test, and carried by a method that says so.

`pytest tests/test_coverage_of_articles.py -s` prints the table.
"""

from __future__ import annotations

from companion.rules.competition import Competition
from tests.articles_cited import BY, IDS, LATER, marked, rules, table


def test_every_article_is_marked_by_a_test() -> None:
    print("\n" + table())
    known = {name for test in marked() for name in test.articles}
    assert known - set(IDS) == set(), "marked, but no article of the list"
    missing = [name for name in IDS if name not in known]
    assert missing == list(LATER), f"not held by any test: {', '.join(sorted(set(missing) - set(LATER)))}\n{table()}"


def test_every_article_of_the_program_is_cited_by_the_method_that_carries_it() -> None:
    carried = {name for rule in rules() for name in rule.articles}
    missing = [name for name in IDS if BY[name] == "program" and name not in carried]
    assert missing == [], f"carried by no method: {', '.join(missing)}"


def test_every_article_for_the_table_is_shown_as_a_reminder() -> None:
    shown = {name for articles in Competition.reminders.values() for name in articles}
    missing = [name for name in IDS if BY[name] == "table" and name not in LATER and name not in shown]
    assert missing == [], f"never shown: {', '.join(missing)}"


def test_the_articles_left_for_later_are_the_trials_and_tables() -> None:
    assert [name for name in IDS if BY[name] == "later"] == list(LATER)
