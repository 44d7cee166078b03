// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.Map;
import java.util.function.BiConsumer;

/** Cells of one writer, as {@link SeriesBudget} sees them. */
interface CountedCells {
  /** The counts that folded pairs share, by actor system, one for each of the budget's buckets. */
  Map<String, long[][]> shared();

  /** Hands on the cells that are counted. */
  void forEach(BiConsumer<Pair, MessageCell> action);
}
