// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong.
 *
 * @param rule the id of the rule that found it
 * @param since from when on it is so, in milliseconds since 1970; null if not known
 * @param evidence the part of the page that shows it, such as {@code #/actors?q=cart}; null for
 *     none
 */
public record Finding(
    String rule,
    Severity severity,
    Sure sure,
    Where where,
    @Nullable Long since,
    Words words,
    @Nullable String evidence) {
  /** How bad it is, the worst last. */
  public enum Severity {
    /** It could be better. */
    ADVICE,
    /** It costs something now. */
    WARNING,
    /** The application fails, or will. */
    CRITICAL;

    /** As the interface has it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How sure the rule is. */
  public enum Sure {
    /** It is one of several explanations. */
    POSSIBLE,
    /** Little else would look like it. */
    LIKELY,
    /** It was seen. */
    CERTAIN;

    /** As the interface has it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A finding in plain English.
   *
   * @param says the state of affairs with its figures, in one sentence
   * @param costs its price for the application
   * @param advice the next step for whoever reads it
   */
  public record Words(String says, String costs, String advice) {}

  /** The same with less, or more, weight. */
  public Finding as(Severity otherSeverity, Sure otherSure) {
    return new Finding(rule, otherSeverity, otherSure, where, since, words, evidence);
  }

  Finding since(long epochMillis) {
    return new Finding(rule, severity, sure, where, epochMillis, words, evidence);
  }

  /** Its rule and its place, by which it is known again. */
  String subject() {
    return rule + '\n' + where.subject();
  }
}
