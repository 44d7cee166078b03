// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import java.util.LinkedHashSet;
import java.util.Set;

/** What an exception and its causes say, as one sentence for the log. */
public final class Reasons {
  private static final int MOST = 10;

  private Reasons() {}

  /** Each of them once, the outermost first. */
  public static String of(Throwable failure) {
    Set<String> said = new LinkedHashSet<>();
    Throwable at = failure;
    for (int i = 0; i < MOST && at != null; i++) {
      String message = at.getMessage();
      Throwable cause = at.getCause();
      boolean isCausesOwn = cause != null && cause.toString().equals(message);
      if (!isCausesOwn) {
        said.add(message == null || message.isBlank() ? at.getClass().getName() : message);
      }
      at = cause;
    }
    return String.join(": ", said);
  }
}
