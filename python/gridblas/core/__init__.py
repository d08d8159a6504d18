"""What vectors, matrices and scalars share: expressions, masks, indices, updates."""
