// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import java.util.List;

/** Takes samples until it is closed. */
interface SampleSource extends AutoCloseable {
  /** The kind of samples, as the flight recorder calls them. */
  String event();

  /** Has both clocks told apart anew. */
  void compareClocks();

  @Override
  void close();

  /** Takes what a source finds, on the source's thread. */
  interface Target {
    /**
     * One sample.
     *
     * @param threadId as the JVM numbers its threads
     * @param epochNanos when, by the flight recorder's clock
     * @param stack the innermost frame first
     * @param truncated whether outer frames are missing
     */
    void sample(long threadId, long epochNanos, List<String> stack, boolean truncated);

    /** A sample that has no stack. */
    void failed();

    /** Both clocks were read at once. */
    void clocks(long epochNanos, long reading);
  }

  /** Makes one. */
  interface Factory {
    /**
     * Begins to take samples.
     *
     * @throws UnavailableException if this JVM takes none
     */
    SampleSource open(Target target) throws UnavailableException;
  }

  /** Why there can be no samples, in a sentence. */
  final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    UnavailableException(String why) {
      super(why);
    }

    String why() {
      return String.valueOf(getMessage());
    }
  }
}
