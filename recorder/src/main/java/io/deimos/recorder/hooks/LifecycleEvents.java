// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.trouble.Incidents;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells those who listen to incidents that an actor has failed, or was restarted; not of Pekko's
 * own actors. Safe for any thread.
 */
final class LifecycleEvents {
  private LifecycleEvents() {}

  /**
   * An actor has failed.
   *
   * @param at the message that it was at work on; null if none
   */
  static void failed(ActorTelemetry actor, @Nullable MessageCell at, Throwable error) {
    if (isTold(actor)) {
      Incidents.happened(
          EventName.FAILED,
          () -> {
            Map<Attribute, String> facts = new LinkedHashMap<>();
            facts.put(Attribute.ERROR_TYPE, error.getClass().getName());
            if (at != null) {
              facts.put(Attribute.MESSAGE_CLASS, at.message.name());
            }
            return describe(facts, actor);
          });
    }
  }

  static void restarted(ActorTelemetry actor) {
    if (isTold(actor)) {
      Incidents.happened(EventName.RESTARTED, () -> describe(new LinkedHashMap<>(), actor));
    }
  }

  private static boolean isTold(ActorTelemetry actor) {
    return !actor.kind().isHidden() && !actor.kind().isSilent();
  }

  private static Map<Attribute, String> describe(
      Map<Attribute, String> facts, ActorTelemetry actor) {
    facts.put(Attribute.ACTOR_PATH, actor.path());
    facts.put(Attribute.ACTOR_CLASS, actor.className());
    facts.put(Attribute.SYSTEM, actor.kind().system());
    return facts;
  }
}
