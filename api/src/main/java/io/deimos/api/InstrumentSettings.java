// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.api;

import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * The settings for recording an actor, for {@link Deimos#instrument}. A setting that is not given
 * is as configured. Immutable; each method returns a new one.
 */
public final class InstrumentSettings {
  private static final InstrumentSettings NOTHING = new InstrumentSettings("", false);

  /** The characters that a pattern of class names may have. */
  private static final Pattern NAME = Pattern.compile("[\\w$.*]+");

  /** Key and value of each thing that was said, with commas behind. */
  private final String said;

  private final boolean children;

  private InstrumentSettings(String said, boolean children) {
    this.said = said;
    this.children = children;
  }

  /** Nothing said yet. */
  public static InstrumentSettings create() {
    return NOTHING;
  }

  /** Whether the actor's messages get spans. */
  public InstrumentSettings withTracing(boolean on) {
    return with("tracing", onOrOff(on));
  }

  /** Whether the actor's messages are counted and timed. */
  public InstrumentSettings withMetrics(boolean on) {
    return with("metrics", onOrOff(on));
  }

  /** Whether a message outside of all traces begins one at this actor. */
  public InstrumentSettings withStartTraces(boolean here) {
    return with("start-traces", here ? "here" : "only-inside-existing");
  }

  /**
   * The share of traces that is sampled, of those that begin at this actor.
   *
   * @throws IllegalArgumentException if it is not in [0, 1]
   */
  public InstrumentSettings withSampling(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("sampling share " + share + " is not in [0, 1]");
    }
    return with("sampling", String.format(Locale.ROOT, "%s", share));
  }

  /** Whether spans of the actor's messages have the events {@code waiting} and {@code message}. */
  public InstrumentSettings withMessageEvents(boolean on) {
    return with("message-events", onOrOff(on));
  }

  /** Whether the actor's start and its restarts have spans, inside a trace. */
  public InstrumentSettings withLifecycle(boolean on) {
    return with("lifecycle", onOrOff(on));
  }

  /**
   * Messages to the actor that get no spans. The context passes through.
   *
   * @param patterns names of classes, with or without package, with {@code *} for any letters
   * @throws IllegalArgumentException if one is no such pattern
   */
  public InstrumentSettings withoutMessages(String... patterns) {
    return with("messages-never", list(patterns));
  }

  /**
   * The only messages to the actor that get spans. The context passes through the others.
   *
   * @param patterns names of classes, with or without package, with {@code *} for any letters
   * @throws IllegalArgumentException if one is no such pattern
   */
  public InstrumentSettings withOnlyMessages(String... patterns) {
    return with("messages-only", list(patterns));
  }

  private static String onOrOff(boolean on) {
    return on ? "on" : "off";
  }

  private static String list(String... patterns) {
    StringJoiner list = new StringJoiner(",", "[", "]");
    for (String pattern : patterns) {
      if (!NAME.matcher(pattern).matches()) {
        throw new IllegalArgumentException(
            "'" + pattern + "' is not a class name, which may have * in it for any letters");
      }
      list.add('"' + pattern + '"');
    }
    return list.toString();
  }

  /** In HOCON the last value of a key holds. */
  private InstrumentSettings with(String key, String value) {
    return new InstrumentSettings(said + key + '=' + value + ',', children);
  }

  /** Whether all actors below get the same, where they are not told otherwise; by default not. */
  public InstrumentSettings withChildren(boolean inherit) {
    return new InstrumentSettings(said, inherit);
  }

  /** As it travels with an actor's properties: as one of Pekko's actor tags. */
  String tag() {
    return TAG + said + (children ? "children=inherit," : "") + '}';
  }

  static final String TAG = "deimos{";

  @Override
  public String toString() {
    return tag();
  }
}
