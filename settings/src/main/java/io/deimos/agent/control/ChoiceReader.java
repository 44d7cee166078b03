// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import io.deimos.recorder.actors.ActorChoice;
import io.deimos.recorder.actors.MessagePatterns;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is asked for of some actors, wherever that stands: {@code tracing}, {@code metrics},
 * {@code children}, {@code start-traces}, {@code sampling}, {@code message-events}, {@code
 * lifecycle}, {@code messages-never}, {@code messages-only}.
 */
final class ChoiceReader {
  private static final String KNOWN =
      "tracing, metrics, children, start-traces, sampling, message-events, lifecycle,"
          + " messages-never and messages-only";

  private final Consumer<String> problems;

  ChoiceReader(Consumer<String> problems) {
    this.problems = problems;
  }

  /**
   * @param from the object with these keys
   * @param where it stands, for messages
   */
  ActorChoice read(Config from, String where) {
    Boolean tracing = null;
    Boolean metrics = null;
    Boolean starts = null;
    Double ratio = null;
    Boolean events = null;
    Boolean lifecycle = null;
    List<String> never = null;
    List<String> only = null;
    boolean children = false;
    for (Map.Entry<String, ConfigValue> entry : from.root().entrySet()) {
      String key = entry.getKey().replace('_', '-');
      String value = String.valueOf(entry.getValue().unwrapped());
      switch (key) {
        case "tracing" -> tracing = one(where, key, value, "on", "off");
        case "metrics" -> metrics = one(where, key, value, "on", "off");
        case "children" ->
            children = Boolean.TRUE.equals(one(where, key, value, "inherit", "ignore"));
        case "start-traces" -> starts = one(where, key, value, "here", "only-inside-existing");
        case "sampling" -> ratio = ratio(where, value);
        case "message-events" -> events = one(where, key, value, "on", "off");
        case "lifecycle" -> lifecycle = one(where, key, value, "on", "off");
        case "messages-never" -> never = patterns(where, key, entry.getValue());
        case "messages-only" -> only = patterns(where, key, entry.getValue());
        default ->
            problems.accept(where + ": there is no " + key + "; the keys for actors are " + KNOWN);
      }
    }
    MessagePatterns messages =
        never == null && only == null
            ? null
            : new MessagePatterns(
                never == null ? List.of() : never, only == null ? List.of() : only);
    return new ActorChoice(tracing, metrics, starts, ratio, events, lifecycle, messages, children);
  }

  private @Nullable List<String> patterns(String where, String key, ConfigValue value) {
    if (value.unwrapped() instanceof List<?> all
        && all.stream().allMatch(String.class::isInstance)) {
      return all.stream().map(String.class::cast).toList();
    }
    problems.accept(
        where
            + ": "
            + key
            + " is not a list of patterns, such as [\"com.acme.Heartbeat*\"]; it is ignored");
    return null;
  }

  private @Nullable Boolean one(String where, String key, String value, String yes, String no) {
    String given = value.toLowerCase(Locale.ROOT);
    if (given.equals(yes) || (yes.equals("on") && (given.equals("true") || given.equals("yes")))) {
      return true;
    }
    if (given.equals(no) || (no.equals("off") && (given.equals("false") || given.equals("no")))) {
      return false;
    }
    problems.accept(
        where + ": " + key + "=" + value + " is not " + yes + " or " + no + "; it is ignored");
    return null;
  }

  private @Nullable Double ratio(String where, String value) {
    try {
      double ratio = Double.parseDouble(value);
      if (ratio >= 0 && ratio <= 1) {
        return ratio;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    problems.accept(where + ": sampling=" + value + " is not a number in [0, 1]; it is ignored");
    return null;
  }

  /** As {@link #read}, of an entry of a table whose key is a pattern. */
  @Nullable ActorChoice read(Config table, Map.Entry<String, ConfigValue> entry, String where) {
    try {
      return read(table.root().toConfig().getConfig(quoted(entry.getKey())), where);
    } catch (ConfigException e) {
      problems.accept(where + " is not an object with " + KNOWN + "; it is ignored");
      return null;
    }
  }

  static String quoted(String key) {
    return com.typesafe.config.ConfigUtil.joinPath(key);
  }
}
