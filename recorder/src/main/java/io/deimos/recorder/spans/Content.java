// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.spans;

import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.base.Texts;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message, as text that somebody may see. Either rendered before the actor gets
 * the message, or by the first who asks, from the message that is kept until then. Rendering never
 * throws. Safe for any thread.
 */
public final class Content {
  private static final LongAdder UNPRINTABLE = new LongAdder();
  private static final LongAdder UNREDACTED = new LongAdder();

  private final ContentRule rule;
  private @Nullable Object message;
  private @Nullable String text;

  private Content(Object message, ContentRule rule) {
    this.message = message;
    this.rule = rule;
  }

  /** The content of a message, rendered now unless the rule says late. */
  public static Content of(Object message, ContentRule rule) {
    Content content = new Content(message, rule);
    if (!rule.late()) {
      content.text();
    }
    return content;
  }

  /** Messages whose {@code toString} failed so far. */
  public static long unprintable() {
    return UNPRINTABLE.sum();
  }

  /** Messages at which the redactor failed so far; nothing of them was shown. */
  public static long unredacted() {
    return UNREDACTED.sum();
  }

  /** The part of the message that may be seen; null if that is nothing. */
  public synchronized @Nullable String text() {
    Object unseen = message;
    if (unseen != null) {
      message = null;
      text = render(unseen, rule);
    }
    return text;
  }

  private static @Nullable String render(Object message, ContentRule rule) {
    String whole;
    try {
      whole = String.valueOf(message);
    } catch (Throwable t) {
      UNPRINTABLE.increment();
      return "(toString failed: " + t.getClass().getName() + ")";
    }
    return redacted(message, whole, rule);
  }

  /** The part of a text that may be seen; null if that is nothing. */
  public static @Nullable String shown(String text, ContentRule rule) {
    return redacted(text, text, rule);
  }

  private static @Nullable String redacted(Object message, String whole, ContentRule rule) {
    BiFunction<Object, String, @Nullable String> redactor = rule.redactor();
    if (redactor == null) {
      return cut(whole, rule.maxLength());
    }
    try {
      String redacted = redactor.apply(message, whole);
      return redacted == null ? null : cut(redacted, rule.maxLength());
    } catch (Throwable t) {
      UNREDACTED.increment();
      return "(redactor failed: " + t.getClass().getName() + ")";
    }
  }

  /** Not in the middle of a character. */
  public static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    return Texts.start(text, most) + "… (" + text.length() + " characters)";
  }
}
