// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.io.Serializable;
import scenarios.Tool;

/** The messages of the rows. */
final class Messages {
  private Messages() {}

  /** The first message of a row, sent from outside any actor. */
  record Begin() implements Serializable {}

  /**
   * @param token names the trace it should be in, for {@link scenarios.Tool}; null if nobody asks
   */
  record Work(int number, String token) implements Serializable {
    Work(int number) {
      this(number, Tool.token());
    }
  }

  record Done(int number, String token) implements Serializable {
    Done(int number) {
      this(number, Tool.token());
    }
  }

  /** Wants the baggage that its receiver has. */
  record WhatBaggage() implements Serializable {}

  record Baggages(String entry) implements Serializable {}

  /** Wants the uid of its receiver's system. */
  record WhatUid() implements Serializable {}

  /** Wants the W3C tracestate that its receiver has. */
  record WhatTracestate() implements Serializable {}

  record Tracestates(String entries) implements Serializable {}

  @SuppressWarnings("ArrayRecordComponent") // bytes are what it is about
  record Large(byte[] bytes, String token) implements Serializable {
    Large(byte[] bytes) {
      this(bytes, Tool.token());
    }
  }
}
