"""1,000 paired resamples of 1,349 items by 9 settings in numpy, written in four
ways; prints the milliseconds of the fastest."""
import time

import numpy as np

ITEMS, SETTINGS, REPLICATES = 1349, 9, 1000
draw = np.random.default_rng(1)
x = (draw.random((ITEMS, SETTINGS)) < 0.5).astype(float)


def one_gather():
    return x[draw.integers(0, ITEMS, (REPLICATES, ITEMS))].mean(axis=1)


def a_loop():
    return np.array(
        [x[draw.integers(0, ITEMS, ITEMS)].mean(axis=0) for _ in range(REPLICATES)]
    )


def by_counts():
    share = np.full(ITEMS, 1 / ITEMS)
    return draw.multinomial(ITEMS, share, REPLICATES) @ x / ITEMS


def by_bincount():
    weight = np.empty((REPLICATES, ITEMS))
    for r in range(REPLICATES):
        weight[r] = np.bincount(draw.integers(0, ITEMS, ITEMS), minlength=ITEMS)
    return weight @ x / ITEMS


def milliseconds(way):
    start = time.process_time()
    way()
    return (time.process_time() - start) * 1e3


print(min(milliseconds(way) for way in (one_gather, a_loop, by_counts, by_bincount)))
