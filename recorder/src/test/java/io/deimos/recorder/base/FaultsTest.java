// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultsTest {
  @Test
  void tell_aPlaceThatFailsAllTheTimeAndOneThatFailsOnce_tellsEachOnce() {
    List<String> told = new ArrayList<>();
    Faults.listener(told::add);
    long before = Faults.count();
    for (int i = 0; i < 1_000; i++) {
      Faults.caught(new InternalError("again and again"));
    }
    Faults.caught(new OutOfMemoryError("once"));
    Faults.tell();
    Faults.tell();
    assertThat(Faults.count()).isEqualTo(before + 1_001);
    assertThat(told).filteredOn(line -> line.contains("again and again")).hasSize(1);
    assertThat(told).filteredOn(line -> line.contains("once")).hasSize(1);
  }

  @Test
  void caught_aFailureThatFailsToSayWhatItIs_isCounted() {
    long before = Faults.count();
    Faults.caught(
        new RuntimeException() {
          private static final long serialVersionUID = 1;

          @Override
          public String getMessage() {
            throw new IllegalStateException("as told");
          }
        });
    assertThat(Faults.count()).isEqualTo(before + 1);
  }
}
