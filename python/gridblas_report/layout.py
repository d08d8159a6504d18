"""Positions of a small graph's vertices: each component by the distances between its vertices, components next to each other."""

from __future__ import annotations

import math

import numpy as np

ITERATIONS = 120


def _hops(n: int, edges: np.ndarray) -> np.ndarray:
    """How many edges lie between each two vertices (Floyd and Warshall); inf: they are not connected."""
    hops = np.full((n, n), np.inf)
    hops[edges[:, 0], edges[:, 1]] = hops[edges[:, 1], edges[:, 0]] = 1
    np.fill_diagonal(hops, 0)
    for k in range(n):
        np.minimum(hops, hops[:, k, None] + hops[None, k], out=hops)
    return hops


def _scaled(hops: np.ndarray) -> np.ndarray:
    """Classical multidimensional scaling: positions whose distances are nearest to the hops in sum, which unfolds a mesh."""
    n = len(hops)
    centre = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(-0.5 * centre @ hops**2 @ centre)
    at = np.asarray(vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0)))
    return at + np.random.default_rng(1).normal(0, 1e-3, at.shape)  # vertices with the same neighbours lie apart


def _component(hops: np.ndarray) -> np.ndarray:
    """The layout of Kamada and Kawai by stress majorization (Gansner, Koren, North): near vertices count most."""
    n = len(hops)
    if n < 3:
        return np.column_stack([np.arange(n, dtype=float), np.zeros(n)])
    at = _scaled(hops)
    weight = 1 / (hops + np.eye(n)) ** 2
    np.fill_diagonal(weight, 0)
    inverse = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
    for _ in range(ITERATIONS):
        apart = np.linalg.norm(at[:, None] - at[None], axis=2)
        pull = -weight * hops / np.maximum(apart, 1e-9)
        np.fill_diagonal(pull, 0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        at = inverse @ (pull @ at)
    return at


def _turned(at: np.ndarray) -> np.ndarray:
    """The same positions, rotated so that their bounding box is minimal, and wider than high."""
    best, least = at, math.inf
    for angle in np.linspace(0, math.pi, 91)[:-1]:
        c, s = math.cos(angle), math.sin(angle)
        turned = at @ np.array([[c, -s], [s, c]])
        width, height = np.ptp(turned, axis=0)
        area = (width + 1) * (height + 1)
        if width >= height - 1e-6 and area < least - 1e-6:
            best, least = turned, area
    return best


def positions(n: int, edges: np.ndarray) -> np.ndarray:
    """x and y of n vertices, an edge about 1 long. The same for the same graph."""
    hops = _hops(n, edges)
    first = np.argmax(np.isfinite(hops), axis=1)  # the component's first vertex
    members = [np.flatnonzero(first == v) for v in np.unique(first)]
    members.sort(key=lambda m: (-len(m), m[0]))
    boxes = []
    for m in members:
        at = _turned(_component(hops[np.ix_(m, m)]))
        boxes.append(at - at.min(axis=0))
    sizes = [np.ptp(at, axis=0) + 1.2 for at in boxes]
    row = max(sizes[0][0], 1.3 * math.sqrt(sum(w * h for w, h in sizes)))
    place = np.zeros((n, 2))
    x = y = below = 0.0
    for m, at, (width, height) in zip(members, boxes, sizes):  # in rows, from the top
        if x > 0 and x + width > row + 1e-9:
            x, y, below = 0.0, below, below
        place[m] = at * [1, -1] + [x, -y]
        x, below = x + width, max(below, y + height)
    return place
