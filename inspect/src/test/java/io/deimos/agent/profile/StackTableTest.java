// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StackTableTest {
  private final StackTable table = new StackTable(4 << 20);

  @Test
  void add_sameStack_isTheSameNumber() {
    int one = table.add(List.of("a.A.run", "a.B.burn"));
    int other = table.add(List.of("a.A.run", "a.C.sleep"));
    assertThat(table.add(List.of("a.A.run", "a.B.burn"))).isEqualTo(one).isNotEqualTo(other);
    assertThat(table.stack(one)).containsExactly("a.A.run", "a.B.burn");
    assertThat(table.stack(other)).containsExactly("a.A.run", "a.C.sleep");
    assertThat(table.stack(table.add(List.of()))).isEmpty();
  }

  @Test
  void add_manyStacks_areAllFound() {
    int[] numbers = new int[5000];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = table.add(List.of("top", "m" + i % 70, "n" + i));
    }
    for (int i = 0; i < numbers.length; i++) {
      assertThat(table.stack(numbers[i])).containsExactly("top", "m" + i % 70, "n" + i);
    }
    assertThat(table.cut()).isZero();
  }

  @Test
  void add_noRoomForNames_endsTheStackAndCounts() {
    StackTable small = new StackTable(1000);
    int known = small.add(List.of("top"));
    int cut = small.add(List.of("top", "x".repeat(1000), "below"));
    assertThat(cut).isEqualTo(known);
    assertThat(small.cut()).isEqualTo(1);
  }

  @Test
  void add_noRoomForNodes_staysWithinItsBytes() {
    long bytes = 64 << 10;
    StackTable small = new StackTable(bytes);
    for (int i = 0; i < 5000; i++) {
      small.add(Collections.nCopies(i % 40 + 1, "f" + i % 90));
    }
    assertThat(small.cut()).isPositive();
    assertThat(small.isFull()).isTrue();
    assertThat(small.bytes()).isLessThanOrEqualTo(bytes);
  }
}
