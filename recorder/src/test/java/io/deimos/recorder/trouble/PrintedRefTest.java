// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintedRefTest {
  @Test
  void path_ofAReference_isWithoutItsNumber() {
    assertThat(PrintedRef.path(ref("Actor[pekko://shop/user/cart#17]")))
        .isEqualTo("pekko://shop/user/cart");
  }

  @Test
  void path_ofASelection_isWhatItSelects() {
    assertThat(PrintedRef.path(ref("ActorSelection[Anchor(pekko://shop/#1), Path(/user/cart)]")))
        .isEqualTo("pekko://shop/user/cart");
  }

  /** As of an application whose class loader has been closed. */
  @Test
  void path_ofWhatCannotBePrinted_isItsClass() {
    Object ref =
        new Object() {
          @Override
          public String toString() {
            throw new NoClassDefFoundError("shop/Names");
          }
        };
    assertThat(PrintedRef.path(ref)).isEqualTo(ref.getClass().getName());
  }

  private static Object ref(String printed) {
    return new Object() {
      @Override
      public String toString() {
        return printed;
      }
    };
  }
}
