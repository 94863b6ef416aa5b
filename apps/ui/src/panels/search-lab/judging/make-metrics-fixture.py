"""Writes metrics-fixture.json: 60 random rankings with the values that ranx computes for them.

Run with Python 3.11 and ranx 0.3:  pip install ranx && python make-metrics-fixture.py > metrics-fixture.json
The checks for scikit-learn's ndcg_score need scikit-learn too.
"""

import json
import random
import sys

import ranx
from ranx import Qrels, Run, evaluate
from sklearn.metrics import ndcg_score

random.seed(16)
cases = []
for number in range(60):
    pool = [f"r{index}" for index in range(30)]
    right = random.sample(pool, random.randint(1, 12))
    found = random.sample(pool, random.randint(0 if number % 10 == 0 else 1, 20))
    k = random.choice([1, 3, 5, 8, 10, 20])
    qrels = Qrels({"q": {key: 1 for key in right}})
    # ranx sorts by score: the first row has the highest. A run may not be empty, so one wrong row stands for it.
    ranking = {key: float(len(found) - rank) for rank, key in enumerate(found)} or {"none": 1.0}
    names = [f"precision@{k}", f"recall@{k}", f"mrr@{k}", f"ndcg@{k}"]
    values = evaluate(qrels, Run({"q": ranking}), names)
    expected = {name.split("@")[0]: round(float(values[name]), 10) for name in names}
    if len(found) == 20:
        truth = [[1 if key in right else 0 for key in pool]]
        scores = [[ranking.get(key, 0.0) for key in pool]]
        missing = set(right) - set(found)
        # scikit-learn ranks rows that were not found after the others. That changes the value only if k exceeds the found rows.
        if not missing or k <= 20:
            assert abs(ndcg_score(truth, scores, k=k) - expected["ndcg"]) < 1e-9, number
    cases.append({"found": found, "right": right, "k": k, "expected": expected})
json.dump({"made": f"ranx {ranx.__version__ if hasattr(ranx, '__version__') else ''}".strip(), "cases": cases}, sys.stdout)
