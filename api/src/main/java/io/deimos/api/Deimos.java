// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.api;

import java.util.HashSet;
import java.util.Set;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorContext;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.ActorTags;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Lets an application tell Deimos something in code. Without the agent nothing of it has any
 * effect, and nothing needs to be changed. Safe for any thread.
 */
public final class Deimos {
  private Deimos() {}

  /**
   * Says what is recorded of the actors made with these properties. Goes before {@code
   * deimos.actors} and {@code pekko.actor.deployment}, after marks such as {@link NeverTraced}. An
   * earlier call of this method no longer holds.
   *
   * <p>It travels as one of the actor's tags.
   */
  public static Props instrument(Props props, InstrumentSettings settings) {
    Set<String> tags = ours(CollectionConverters.asJava(props.deploy().tags()), settings);
    return props.withActorTags(CollectionConverters.asScala(tags).toSet());
  }

  /**
   * The same for typed actors; their other tags stay. They are seen in the MDC, as all tags are.
   */
  public static org.apache.pekko.actor.typed.Props instrument(
      org.apache.pekko.actor.typed.Props props, InstrumentSettings settings) {
    ClassTag<ActorTags> type = ClassTag$.MODULE$.apply(ActorTags.class);
    Set<String> before = new HashSet<>();
    CollectionConverters.asJava(props.allOf(type))
        .forEach(tags -> before.addAll(((ActorTags) tags).getTags()));
    return ActorTags.create(ours(before, settings)).withNext(props.filterNot(type));
  }

  private static Set<String> ours(Set<String> before, InstrumentSettings settings) {
    Set<String> tags = new HashSet<>(before);
    tags.removeIf(tag -> tag.startsWith(InstrumentSettings.TAG));
    tags.add(settings.tag());
    return tags;
  }

  /**
   * Telemetry as it is in the actor at work: its span, its baggage, and a tracer and a meter in its
   * name. To be called and used on the actor's thread, while it processes a message. Needs {@code
   * opentelemetry-api} on the class path.
   *
   * @param context of a classic actor
   */
  public static ActorInstruments current(ActorContext context) {
    return new ActorInstruments(context.props().actorClass().getName());
  }

  /**
   * The same.
   *
   * @param context of a classic actor written in Java
   */
  public static ActorInstruments current(AbstractActor.ActorContext context) {
    return new ActorInstruments(context.props().actorClass().getName());
  }

  /**
   * The same.
   *
   * @param context of a typed actor
   * @param scope the class to name tracer and meter after
   */
  public static ActorInstruments current(
      org.apache.pekko.actor.typed.javadsl.ActorContext<?> context, Class<?> scope) {
    return new ActorInstruments(scope.getName());
  }
}
