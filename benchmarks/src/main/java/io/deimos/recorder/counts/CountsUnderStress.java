// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

/** The counts of a ring's records, for a test of the ring. */
public record CountsUnderStress(long processed, long processingNanos) {
  /** The sums of all cells. */
  public static CountsUnderStress of(RecordCells cells) {
    long[] sums = new long[MessageCell.LONGS];
    synchronized (cells) {
      cells.forEach((pair, cell) -> cell.addTo(sums));
      cells.forNew(cell -> cell.addTo(sums)); // no budget has looked at it
    }
    return new CountsUnderStress(sums[MessageCell.PROCESSED], sums[MessageCell.PROCESSING_SUM]);
  }
}
