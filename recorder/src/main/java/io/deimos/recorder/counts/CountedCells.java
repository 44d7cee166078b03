// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Cells of one writer, as {@link SeriesBudget} sees them. */
public interface CountedCells {
  /** The counts that folded pairs share, by actor system, one for each of the budget's buckets. */
  Map<String, long[][]> shared();

  /** Hands on cells that may count and that the budget has not seen; some perhaps twice. */
  void forNew(Consumer<MessageCell> action);

  /** Hands on the cells that are counted. */
  void forEach(BiConsumer<Pair, MessageCell> action);
}
