// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/**
 * One setting: its name, what it may be, what it is otherwise, and what is said of it. Declared
 * once, in {@link Keys}. Immutable.
 *
 * @param <T> the type of its values
 * @param name as a system property and as a HOCON path, for instance {@code deimos.page.port}
 * @param type the values that it may have
 * @param otherwise its value where none, or none that can be used, is given
 * @param when {@link When#LIVE} if it may change while the application runs
 */
public record Key<T>(String name, ValueType<T> type, T otherwise, When when) {
  /** From when on a value holds. */
  public enum When {
    /** From the start of the JVM to its end, since it decides what is woven or allocated. */
    START,

    /**
     * As {@link #LIVE}, but what was not woven at the start stays off, see {@link Settings#woven}.
     */
    IF_ON_AT_START,

    /** Within two seconds of a change. */
    LIVE,

    /**
     * As {@link #LIVE}, but not from the page: it decides which of the user's code is called, or
     * lets what messages contain leave the application, and that is the operator's to say.
     */
    LIVE_FOR_OPERATOR
  }

  /** There is one of each name. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Key<?> key && name.equals(key.name);
  }

  /** Written out: asked for each setting, while the JVM starts. */
  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /** The environment variable with the same meaning. */
  public String variable() {
    return name.toUpperCase(java.util.Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** Whether a value, as somebody gave it, is what holds anyway. */
  boolean isDefault(ConfigValue value) {
    try {
      return otherwise.equals(type.parse().apply(value));
    } catch (ConfigException | IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Whether it may change while the application runs.
   *
   * @param woven its value among what was woven at the start of the JVM
   */
  public boolean mayChange(Object woven) {
    return when == When.LIVE
        || when == When.LIVE_FOR_OPERATOR
        || (when == When.IF_ON_AT_START && woven.equals(true));
  }

  /** Whether it may change from the page, as far as it may change at all. */
  public boolean isForPage() {
    return when != When.LIVE_FOR_OPERATOR;
  }
}
