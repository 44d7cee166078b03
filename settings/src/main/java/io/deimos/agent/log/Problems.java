// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

import io.deimos.recorder.base.Texts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The news for the user, each sentence once: on standard error, marked {@code deimos:}, and on the
 * page. Each source has its own bound, so that one that goes wrong again and again does not silence
 * the others. Safe for any thread.
 */
public final class Problems implements Consumer<String> {
  private static final int MAX_OF_A_SOURCE = 100;
  private static final int MAX_SOURCES = 16;

  /** Many say what an exception said, which may have no end. */
  private static final int MAX_LINE = 2000;

  private final Map<String, Set<String>> told = new LinkedHashMap<>();
  private final List<String> inOrder = new ArrayList<>();
  private final Consumer<String> log;

  /** Writes to standard error. */
  public Problems() {
    this(Log::marked);
  }

  public Problems(Consumer<String> log) {
    this.log = log;
  }

  /** Tells one problem, in one sentence. */
  @Override
  public void accept(String problem) {
    tell("Deimos", problem);
  }

  /**
   * The way for problems of one source.
   *
   * @param source what they are about, in a word or two
   */
  public Consumer<String> from(String source) {
    return problem -> tell(source, problem);
  }

  private void tell(String source, String problem) {
    String line = Texts.cut(Printable.line(problem), MAX_LINE);
    synchronized (told) {
      if (!told.containsKey(source) && told.size() == MAX_SOURCES) {
        return;
      }
      Set<String> ofSource = told.computeIfAbsent(source, any -> new HashSet<>());
      if (ofSource.size() > MAX_OF_A_SOURCE || !ofSource.add(line)) {
        return;
      }
      if (ofSource.size() > MAX_OF_A_SOURCE) {
        line =
            "there are more problems with "
                + source
                + "; after "
                + MAX_OF_A_SOURCE
                + " they are not reported any more. Mend those above first";
      }
      inOrder.add(line);
    }
    log.accept("deimos: " + line);
  }

  /** Something of ours failed; it is switched off, the rest goes on. */
  public void failed(String what, Throwable cause) {
    accept(what + " failed (" + cause + ") and is off; the application runs on");
  }

  /** The sentences so far, oldest first. */
  public List<String> all() {
    synchronized (told) {
      return new ArrayList<>(inOrder);
    }
  }
}
