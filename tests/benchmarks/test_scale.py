"""What is read from the plans of queries."""

from benchmarks import scale


def test_rows_are_counted_by_table_whatever_the_scan() -> None:
    walk = {"Node Type": "Index Scan", "Relation Name": "annotator_page", "Actual Loops": 2, "Actual Rows": 5}
    filtered = {**walk, "Node Type": "Seq Scan", "Actual Loops": 1, "Rows Removed by Filter": 90}
    gold = {**walk, "Relation Name": "annotator_gold", "Actual Rows": 1}
    plan = {"Node Type": "Nested Loop", "Actual Loops": 1, "Actual Rows": 7, "Plans": [walk, filtered, gold]}
    assert scale.rows_read(plan) == {"page": 105, "gold": 2}
