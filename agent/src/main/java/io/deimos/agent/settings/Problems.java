// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the user should know, each sentence once: on standard error, marked {@code deimos:}, and on
 * the page. Safe for any thread.
 */
public final class Problems implements Consumer<String> {
  private static final int MOST = 100;

  private final Set<String> told = new LinkedHashSet<>();
  private final Consumer<String> log;

  /** Writes to standard error. */
  public Problems() {
    this(System.err::println);
  }

  Problems(Consumer<String> log) {
    this.log = log;
  }

  /** Tells one problem, in one sentence. */
  @Override
  public void accept(String problem) {
    synchronized (told) {
      if (told.size() >= MOST || !told.add(problem)) {
        return;
      }
    }
    log.accept("deimos: " + problem);
  }

  /** Something of ours failed; it is switched off, the rest goes on. */
  public void failed(String what, Throwable cause) {
    accept(what + " failed (" + cause + ") and is off; the application runs on");
  }

  /** What has been told so far, oldest first. */
  public List<String> all() {
    synchronized (told) {
      return new ArrayList<>(told);
    }
  }
}
