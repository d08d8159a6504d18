"""The NetworkX backend: nx.pagerank(G, backend="gridblas"). NetworkX finds it by the package's entry points."""
