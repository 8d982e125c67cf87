"""Every article of every rulebook is held by a test, and carried by a method that says so.

`pytest tests/test_coverage_of_articles.py -s` prints the tables.
"""

from __future__ import annotations

import pytest

from companion.rules.rulebooks import RULEBOOKS
from tests.articles_cited import REMINDED, listed, marked, refereed, rules, table

pytestmark = pytest.mark.parametrize("rulebook", list(RULEBOOKS))


def test_every_article_is_marked_by_a_test(rulebook: str) -> None:
    print("\n" + table(rulebook))
    ids = listed(rulebook)
    known = {name for test in marked(rulebook) for name in test.articles}
    assert known - set(ids) == set(), "marked, but no article of the list"
    missing = [name for name in ids if name not in known]
    assert missing == [], f"not held by any test: {', '.join(missing)}"


def test_every_article_of_the_program_is_cited_by_the_method_that_carries_it(rulebook: str) -> None:
    carried = {name for rule in rules(rulebook) for name in rule.articles}
    missing = [name for name in listed(rulebook) if refereed(rulebook)[name] == "program" and name not in carried]
    assert missing == [], f"carried by no method: {', '.join(missing)}"


def test_every_article_for_the_table_is_shown_as_a_reminder(rulebook: str) -> None:
    told = (*RULEBOOKS[rulebook].reminders.values(), *REMINDED.get(rulebook, {}).values())
    shown = {name for articles in told for name in articles}
    missing = [name for name, by in refereed(rulebook).items() if by == "table" and name not in shown]
    assert missing == [], f"never shown: {', '.join(missing)}"
