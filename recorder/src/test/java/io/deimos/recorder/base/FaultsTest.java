// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
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

  @Test
  void all_ofAPlaceThatFailsOften_isItsFirstStackAndHowOften() {
    for (int i = 0; i < 20; i++) {
      Faults.caught(new InternalError("often"));
    }
    Faults.Fault often = fault("often");
    assertThat(often.times()).isEqualTo(20);
    assertThat(often.what())
        .isEqualTo(
            "java.lang.InternalError: often in FaultsTest"
                + ".all_ofAPlaceThatFailsOften_isItsFirstStackAndHowOften");
    assertThat(often.stack())
        .startsWith("at ")
        .contains("FaultsTest.all_ofAPlaceThatFailsOften_isItsFirstStackAndHowOften(");
  }

  @Test
  void all_manyPlacesThatFailAtLength_areFewAndBounded() {
    for (int i = 0; i < 1_000; i++) {
      StackTraceElement[] deep = new StackTraceElement[1_000];
      Arrays.fill(deep, new StackTraceElement("a.B", "c".repeat(100), "B.java", 1));
      deep[999] = new StackTraceElement("io.deimos.X", "m" + i, "X.java", 1);
      InternalError error = new InternalError("long " + "x".repeat(10_000) + i);
      error.setStackTrace(deep);
      Faults.caught(error);
    }
    assertThat(Faults.all())
        .filteredOn(fault -> fault.what().contains("long xxx"))
        .hasSize(8)
        .allSatisfy(
            fault -> {
              assertThat(fault.what()).hasSizeLessThan(500);
              assertThat(fault.stack()).hasSizeLessThanOrEqualTo(4_001);
            });
  }

  @Test
  void caught_exceptionOfAnApplicationsLoader_isNotKept() {
    WeakReference<Throwable> thrown = new WeakReference<>(caughtHere());
    for (int i = 0; i < 100 && thrown.get() != null; i++) {
      System.gc();
    }
    assertThat(thrown.get()).isNull();
    assertThat(fault("of an application").stack()).isNotEmpty();
  }

  private static Throwable caughtHere() {
    Throwable thrown = new IllegalStateException("of an application");
    Faults.caught(thrown);
    return thrown;
  }

  private static Faults.Fault fault(String words) {
    return Faults.all().stream()
        .filter(fault -> fault.what().contains(words))
        .findFirst()
        .orElseThrow();
  }
}
