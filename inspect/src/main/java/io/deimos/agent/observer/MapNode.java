// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.messages.MessageRecord;
import io.deimos.agent.messages.Origin;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorTelemetry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Somebody who sends or receives while messages are counted. */
final class MapNode {
  private final String key;
  private final MessageMap.Kind kind;
  private final String name;
  private final @Nullable ActorKind type;
  private final @Nullable ActorTelemetry actor;
  private long living;
  private long messages;
  private long nanos;
  private long failures;

  private MapNode(
      String key,
      MessageMap.Kind kind,
      String name,
      @Nullable ActorKind type,
      @Nullable ActorTelemetry actor) {
    this.key = key;
    this.kind = kind;
    this.name = name;
    this.type = type;
    this.actor = actor;
  }

  /** Somebody who is no actor of this process. */
  static MapNode of(Origin origin) {
    MessageMap.Kind kind =
        switch (origin) {
          case ASK -> MessageMap.Kind.ASK;
          case TIMER -> MessageMap.Kind.TIMER;
          case STREAM -> MessageMap.Kind.STREAM;
          case NODE -> MessageMap.Kind.NODE;
          default -> MessageMap.Kind.OUTSIDE;
        };
    return new MapNode(kind.name().toLowerCase(Locale.ROOT), kind, name(kind), null, null);
  }

  private static String name(MessageMap.Kind kind) {
    return switch (kind) {
      case ASK -> "asks";
      case TIMER -> "timers";
      case STREAM -> "streams";
      case NODE -> "other nodes";
      default -> "outside";
    };
  }

  /** All actors of a class, or of a group if they are grouped. */
  static MapNode of(ActorKind type) {
    boolean grouped = !type.group().isEmpty();
    MessageMap.Kind kind = grouped ? MessageMap.Kind.GROUP : MessageMap.Kind.CLASS;
    return new MapNode(
        kind.name().toLowerCase(Locale.ROOT) + ':' + name(type), kind, name(type), type, null);
  }

  /** One actor. */
  static MapNode of(ActorTelemetry actor) {
    return new MapNode(
        "actor:" + actor.id(), MessageMap.Kind.ACTOR, actor.path(), actor.kind(), actor);
  }

  /** The actors of an opened class that are not shown one by one, or have stopped. */
  static MapNode othersOf(ActorKind type) {
    return new MapNode("others:" + name(type), MessageMap.Kind.OTHERS, name(type), type, null);
  }

  /** The name of a class or a group, by which it is opened. */
  static String name(ActorKind type) {
    return type.group().isEmpty() ? type.className() : type.group();
  }

  String key() {
    return key;
  }

  /** Some of the actors that it stands for live. */
  void lives(long more) {
    living += more;
  }

  void receives(MessageRecord record) {
    messages++;
    nanos += record.nanos();
    failures += record.hasFailed() ? 1 : 0;
  }

  boolean matches(SearchTerm word) {
    ActorKind of = type;
    return word.isIn(name) || (of != null && word.isIn(className(of)));
  }

  private String className(ActorKind of) {
    return actor == null ? of.className() : actor.className();
  }

  MessageMap.Node read() {
    ActorKind of = type;
    ActorTelemetry one = actor;
    boolean counted = kind == MessageMap.Kind.CLASS || kind == MessageMap.Kind.GROUP;
    return new MessageMap.Node(
        key,
        kind,
        name,
        of == null || kind == MessageMap.Kind.GROUP ? "" : className(of),
        of != null && of.isPekkos(),
        one != null ? Long.valueOf(one.isAlive() ? 1 : 0) : counted ? Long.valueOf(living) : null,
        new MessageMap.Traffic(messages, failures, null, nanos));
  }
}
