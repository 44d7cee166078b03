// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void toString_unevenCells_alignsColumns() {
    TextTable table = new TextTable("mode", "ns").row("none", "5").row("otel-active", "1,234");
    assertThat(table.toString())
        .isEqualTo("mode            ns\nnone             5\notel-active  1,234\n");
  }

  @Test
  void row_wrongNumberOfCells_isRefused() {
    TextTable table = new TextTable("mode", "ns");
    assertThatIllegalArgumentException().isThrownBy(() -> table.row("none"));
  }

  @Test
  void number_thousands_areGrouped() {
    assertThat(TextTable.number(1_234_567.891, 1)).isEqualTo("1,234,567.9");
  }
}
