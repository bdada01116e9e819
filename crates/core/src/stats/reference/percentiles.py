"""Writes percentiles.txt: what scipy and numpy say of 20 data sets, for the tests of crates/core.

Needs numpy and scipy. Run in this directory: python3 percentiles.py
Each line: name | percentile in thousandths | n | value | lower rank | upper rank (- if there is none) | the values.
Percentiles are numpy's inverted_cdf (nearest rank). Ranks of 95 % intervals are derived from scipy.stats.binom and, where
scipy.stats.quantile_test gives the same two-sided interval, checked against it.
"""

import numpy as np
import scipy
from scipy import stats

random = np.random.default_rng(5)
SETS = [("log-normal", lambda n: random.lognormal(13, 0.8, n)), ("exponential", lambda n: random.exponential(3e5, n)),
        ("uniform", lambda n: random.uniform(0, 1e6, n)), ("ties", lambda n: random.integers(1, 6, n) * 1e5),
        ("bimodal", lambda n: np.where(random.random(n) < 0.1, 3e6, 2e5) + random.normal(0, 1e4, n))]
SIZES = [7, 40, 100, 400]


def interval(values, p):
    n = len(values)
    # Largest l with P(X < l) <= 0.025 and smallest u with P(X < u) >= 0.975.
    below = lambda k: stats.binom.cdf(k - 1, n, p)
    lower = max(k for k in range(0, n + 1) if below(k) <= 0.025)
    upper = next((k for k in range(1, n + 2) if below(k) >= 0.975), n + 1)
    if upper > n:
        return None
    got = stats.quantile_test(values, q=0, p=p).confidence_interval(0.95)
    ordered = np.sort(values)
    assert got.low == ordered[lower - 1], (n, p, got, lower)
    assert got.high == ordered[upper - 1], (n, p, got, upper)
    return lower, upper


with open("percentiles.txt", "w") as out:
    out.write(f"# numpy {np.__version__}, scipy {scipy.__version__}; written by percentiles.py\n")
    for name, draw in SETS:
        for n in SIZES:
            values = np.rint(draw(n)).astype(int)
            for i, p in enumerate([500, 900, 950, 990, 999]):
                value = np.quantile(values, p / 1000, method="inverted_cdf")
                ranks = interval(values, p / 1000)
                lower, upper = ranks if ranks else ("-", "-")
                shown = " ".join(map(str, values)) if i == 0 else "same"
                out.write(f"{name} | {p} | {n} | {value} | {lower} | {upper} | {shown}\n")
