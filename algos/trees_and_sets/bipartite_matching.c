/* A maximum matching of rows and columns of a matrix: entries of which no two are in one row or column.
 *
 * A path is alternating if it begins at an unmatched column and goes to rows by entries that are not in the
 * matching. It returns to columns by entries that are. If it ends at an unmatched row, exchanging its entries
 * makes the matching larger by one. Where no such path is left the matching is maximum.
 *
 * A phase searches from all unmatched columns at once, level by level. Each row is found once, so the trees
 * of different columns have no vertex in common. The paths that end at unmatched rows, one a tree, are
 * exchanged together, step by step. A tree with such a path does not grow further. Of several columns or
 * rows the smallest is taken, so the matching is the same on every grid.
 *
 * Source: Azad, Buluc, Distributed-memory algorithms for maximum cardinality matching in bipartite graphs
 * (2016). */
#include "algos/algos.h"

typedef struct {
  GrB_Matrix A;
  GrB_Index nrows, ncols;
  /* INT64, of rows */
  GrB_Vector row_mate;
  GrB_Vector parent;          /* the column from which a row was found in this phase */
  GrB_Vector found;           /* the parents of this level's rows */
  GrB_Vector row_root, ended; /* the columns where their paths begin; of unmatched rows */
  GrB_Vector mates;           /* workspace */
  /* INT64, of columns */
  GrB_Vector column_mate;
  GrB_Vector q, root;      /* of the current level: the column itself, and where its path begins */
  GrB_Vector end, new_end; /* at the beginnings of paths: an unmatched row; of this level's paths */
  GrB_Vector row, next; /* at the beginnings of paths: the row of this step of the exchange, the next row */
  GrB_Vector column;    /* ... its new mate; workspace */
} pairing;

/* ---- the search ---- */

/* found = this level's rows. *any: there are some. */
static GrB_Info find_rows(bool *any, pairing *p) {
  GrB_Info info;
  GrB_Index rows;
  TRY(GrB_Vector_apply_IndexOp_INT64(p->q, NULL, NULL, GrB_ROWINDEX_INT64, p->root, 0, NULL));
  /* found<!parent> = A min.second q; parent<found> = found; row_root = root(found) */
  TRY(GrB_mxv(p->found, p->parent, NULL, GrB_MIN_SECOND_SEMIRING_INT64, p->A, p->q, GrB_DESC_RSC));
  TRY(GrB_Vector_nvals(&rows, p->found));
  *any = rows > 0;
  TRY(GrB_Vector_assign(p->parent, p->found, NULL, p->found, GrB_ALL, p->nrows, GrB_DESC_S));
  TRY(Grid_Vector_gather(p->row_root, NULL, NULL, p->root, p->found, NULL));
out:
  return info;
}

/* end gets the paths that end at unmatched rows of this level. */
static GrB_Info find_ends(pairing *p) {
  GrB_Info info;
  TRY(GrB_Vector_assign(p->ended, p->row_mate, NULL, p->row_root, GrB_ALL, p->nrows, GrB_DESC_RSC));
  TRY(GrB_Vector_apply_IndexOp_INT64(p->mates, NULL, NULL, GrB_ROWINDEX_INT64, p->ended, 0, NULL));
  TRY(Grid_Vector_scatter(p->new_end, NULL, NULL, GrB_MIN_INT64, p->mates, p->ended, NULL));
  TRY(GrB_Vector_assign(p->end, p->new_end, NULL, p->new_end, GrB_ALL, p->ncols, GrB_DESC_S));
out:
  return info;
}

/* root = the beginnings of paths, at the mates of this level's rows; of trees without an end. */
static GrB_Info go_to_mates(pairing *p) {
  GrB_Info info;
  TRY(GrB_Vector_assign(p->row_root, p->row_mate, NULL, p->row_root, GrB_ALL, p->nrows, GrB_DESC_RS));
  TRY(GrB_Vector_assign(p->mates, p->row_root, NULL, p->row_mate, GrB_ALL, p->nrows, GrB_DESC_RS));
  TRY(Grid_Vector_scatter(p->root, NULL, NULL, NULL, p->row_root, p->mates, NULL));
  TRY(Grid_Vector_gather(p->next, NULL, NULL, p->end, p->root, NULL));
  TRY(GrB_Vector_assign(p->root, p->next, NULL, p->root, GrB_ALL, p->ncols, GrB_DESC_RSC));
out:
  return info;
}

/* end = an unmatched row for each tree that has one. */
static GrB_Info search(pairing *p) {
  GrB_Info info;
  bool any;
  TRY(GrB_Vector_clear(p->parent));
  TRY(GrB_Vector_clear(p->end));
  /* root(c) = c at unmatched columns */
  TRY(GrB_Vector_assign_INT64(p->root, p->column_mate, NULL, 0, GrB_ALL, p->ncols, GrB_DESC_RSC));
  TRY(GrB_Vector_apply_IndexOp_INT64(p->root, NULL, NULL, GrB_ROWINDEX_INT64, p->root, 0, NULL));
  for (;;) {
    TRY(find_rows(&any, p));
    if (!any) break;
    TRY(find_ends(p));
    TRY(go_to_mates(p));
  }
out:
  return info;
}

/* ---- the exchange ---- */

/* All paths at once, from their ends back to where they begin. */
static GrB_Info exchange(pairing *p) {
  GrB_Info info;
  GrB_Index left;
  TRY(GrB_Vector_assign(p->row, NULL, NULL, p->end, GrB_ALL, p->ncols, NULL));
  for (;;) {
    TRY(GrB_Vector_nvals(&left, p->row));
    if (left == 0) break;
    /* column = parent(row); next = column_mate(column), which the first column of a path does not have */
    TRY(Grid_Vector_gather(p->column, NULL, NULL, p->parent, p->row, NULL));
    TRY(Grid_Vector_gather(p->next, NULL, NULL, p->column_mate, p->column, NULL));
    /* column_mate(column) = row; row_mate(row) = column */
    TRY(Grid_Vector_scatter(p->q, NULL, NULL, NULL, p->row, p->column, NULL));
    TRY(GrB_Vector_assign(p->column_mate, p->q, NULL, p->q, GrB_ALL, p->ncols, GrB_DESC_S));
    TRY(Grid_Vector_scatter(p->mates, NULL, NULL, NULL, p->column, p->row, NULL));
    TRY(GrB_Vector_assign(p->row_mate, p->mates, NULL, p->mates, GrB_ALL, p->nrows, GrB_DESC_S));
    const GrB_Vector swap = p->row;
    p->row = p->next, p->next = swap;
  }
out:
  return info;
}

static GrB_Info find_maximum(pairing *p) {
  GrB_Info info;
  GrB_Index paths;
  for (;;) {
    TRY(search(p));
    TRY(GrB_Vector_nvals(&paths, p->end));
    if (paths == 0) break;
    TRY(exchange(p));
  }
out:
  return info;
}

GrB_Info Grid_bipartite_matching(GrB_Vector *row_mate, GrB_Vector *column_mate, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  pairing p = {.A = A};
  GrB_Vector *const of_rows[] = {&p.row_mate, &p.parent, &p.found, &p.row_root, &p.ended, &p.mates};
  GrB_Vector *const of_columns[] = {&p.column_mate, &p.q,   &p.root, &p.end,
                                    &p.new_end,     &p.row, &p.next, &p.column};
  enum { OF_ROWS = sizeof of_rows / sizeof *of_rows, OF_COLUMNS = sizeof of_columns / sizeof *of_columns };

  TRY(check_outputs(row_mate, column_mate, "Grid_bipartite_matching"));
  if (A == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_bipartite_matching: A is NULL");
  TRY(GrB_Matrix_nrows(&p.nrows, A));
  TRY(GrB_Matrix_ncols(&p.ncols, A));
  for (int k = 0; k < OF_ROWS; k++) TRY(GrB_Vector_new(of_rows[k], GrB_INT64, p.nrows));
  for (int k = 0; k < OF_COLUMNS; k++) TRY(GrB_Vector_new(of_columns[k], GrB_INT64, p.ncols));
  TRY(find_maximum(&p));
  if (row_mate != NULL) *row_mate = p.row_mate, p.row_mate = NULL;
  if (column_mate != NULL) *column_mate = p.column_mate, p.column_mate = NULL;
out:
  for (int k = 0; k < OF_ROWS; k++) GrB_Vector_free(of_rows[k]);
  for (int k = 0; k < OF_COLUMNS; k++) GrB_Vector_free(of_columns[k]);
  return info;
}
