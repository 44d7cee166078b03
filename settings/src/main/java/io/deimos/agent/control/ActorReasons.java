// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.recorder.actors.ActorChoice;
import io.deimos.recorder.actors.ActorSetting;
import io.deimos.recorder.actors.Marks;
import io.deimos.recorder.actors.MessagePatterns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The last word on each setting of one actor: a later addition goes before. */
final class ActorReasons {
  private static final String MARKER = "a marker on the class";

  private final Map<String, ActorSetting> last = new LinkedHashMap<>();

  void tracing(boolean on, String source) {
    put("tracing", on(on), source);
  }

  void metrics(boolean on, String source) {
    put("metrics", on(on), source);
  }

  /** The wishes for some actors, by this name. */
  void add(ActorChoice choice, String source) {
    put("tracing", on(choice.traced()), source);
    put("metrics", on(choice.counted()), source);
    Boolean starts = choice.starts();
    put("start-traces", starts == null ? null : starts ? "here" : "only-inside-existing", source);
    Double ratio = choice.ratio();
    put("sampling", ratio == null ? null : ratio.toString(), source);
    put("message-events", on(choice.events()), source);
    put("lifecycle", on(choice.lifecycle()), source);
    MessagePatterns filter = choice.filter();
    if (filter != null) {
      put("messages-never", String.join(", ", filter.never()), source);
      put("messages-only", String.join(", ", filter.only()), source);
    }
  }

  /** A set of {@link Marks}; never wins over always. */
  void marks(int marks) {
    if ((marks & Marks.ALWAYS_TRACED) != 0) {
      tracing(true, MARKER);
    }
    if ((marks & Marks.NEVER_TRACED) != 0) {
      tracing(false, MARKER);
    }
    if ((marks & Marks.NEVER_MEASURED) != 0) {
      metrics(false, MARKER);
    }
  }

  List<ActorSetting> all() {
    return List.copyOf(last.values());
  }

  private static @Nullable String on(@Nullable Boolean value) {
    return value == null ? null : value ? "on" : "off";
  }

  private void put(String key, @Nullable String value, String source) {
    if (value != null && !value.isEmpty()) {
      last.put(key, new ActorSetting(key, value, source));
    }
  }
}
