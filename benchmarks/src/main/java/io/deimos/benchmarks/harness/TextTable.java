// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table for the terminal: the first column to the left, all others to the right. */
final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String... header) {
    rows.add(List.of(header));
  }

  TextTable row(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(
          cells.length + " cells in a table of " + rows.get(0).size() + " columns");
    }
    rows.add(List.of(cells));
    return this;
  }

  /** Returns {@code value} with a fixed number of decimals and grouped thousands. */
  static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        String padding = " ".repeat(widths[i] - row.get(i).length());
        out.append(i == 0 ? row.get(i) + padding : "  " + padding + row.get(i));
      }
      out.append('\n');
    }
    return out.toString();
  }
}
