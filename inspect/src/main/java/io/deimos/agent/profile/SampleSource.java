// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import java.util.List;

/** Takes samples until it is closed. */
interface SampleSource extends AutoCloseable {
  /** The kind of samples, as the flight recorder calls them. */
  String event();

  /** How long a wait has to be now to be seen; 0 if none is. */
  long waitNanos();

  /** Holds to these limits from now on. Called once a second. */
  void limit(ProfileLimits to);

  /** Has both clocks told apart anew. */
  void compareClocks();

  @Override
  void close();

  /** Takes what a source finds, on the source's thread. */
  interface Target {
    /**
     * One event of a thread.
     *
     * @param stack the innermost frame first
     * @param truncated whether outer frames are missing
     */
    void seen(Seen seen, List<String> stack, boolean truncated);

    /** The collector had all threads stand still, by the flight recorder's clock. */
    void paused(long startNanos, long endNanos);

    /** An event that has no stack. */
    void failed();

    /** A wait beyond the limit. */
    void leftOut();

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
