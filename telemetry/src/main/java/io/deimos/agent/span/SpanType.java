// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import static io.deimos.recorder.names.Attribute.ACTOR_CLASS;
import static io.deimos.recorder.names.Attribute.ACTOR_PATH;
import static io.deimos.recorder.names.Attribute.ASK_TARGET_STATE;
import static io.deimos.recorder.names.Attribute.BATCH_COUNT;
import static io.deimos.recorder.names.Attribute.BUFFER_WAIT;
import static io.deimos.recorder.names.Attribute.DESTINATION_TEMPLATE;
import static io.deimos.recorder.names.Attribute.ERROR_TYPE;
import static io.deimos.recorder.names.Attribute.MAILBOX_WAIT;
import static io.deimos.recorder.names.Attribute.MESSAGE_CLASS;
import static io.deimos.recorder.names.Attribute.MESSAGE_CONTENT;
import static io.deimos.recorder.names.Attribute.MESSAGING_SYSTEM;
import static io.deimos.recorder.names.Attribute.OPERATION_NAME;
import static io.deimos.recorder.names.Attribute.OPERATION_TYPE;
import static io.deimos.recorder.names.Attribute.PERSISTENCE_EVENTS;
import static io.deimos.recorder.names.Attribute.PERSISTENCE_ID;
import static io.deimos.recorder.names.Attribute.PROJECTION_KEY;
import static io.deimos.recorder.names.Attribute.PROJECTION_NAME;
import static io.deimos.recorder.names.Attribute.SENDER_PATH;
import static io.deimos.recorder.names.Attribute.STASH_WAIT;
import static io.deimos.recorder.names.Attribute.SYSTEM;

import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.spans.Operation;
import io.opentelemetry.api.trace.SpanKind;
import java.util.List;
import java.util.stream.Stream;

/** The spans of ours: how each is named, its kind, and the attributes that it may have. */
@SuppressWarnings("ImmutableEnumChecker") // the list is
public enum SpanType {
  PROCESS(
      "process",
      SpanKind.CONSUMER,
      MESSAGE_CONTENT,
      SENDER_PATH,
      MAILBOX_WAIT,
      STASH_WAIT,
      BUFFER_WAIT,
      ERROR_TYPE),
  ASK("ask", SpanKind.CLIENT, SENDER_PATH, ASK_TARGET_STATE, ERROR_TYPE),
  PERSIST(Operation.Kind.PERSIST, PERSISTENCE_ID, PERSISTENCE_EVENTS),
  RECOVER(Operation.Kind.RECOVER, PERSISTENCE_ID, PERSISTENCE_EVENTS),
  LOAD_SNAPSHOT(Operation.Kind.LOAD_SNAPSHOT, PERSISTENCE_ID, PERSISTENCE_EVENTS),
  SAVE_SNAPSHOT(Operation.Kind.SAVE_SNAPSHOT, PERSISTENCE_ID, PERSISTENCE_EVENTS),
  START(Operation.Kind.START),
  RESTART(Operation.Kind.RESTART),
  PROJECT(
      Operation.Kind.PROJECT.word(),
      "<Projection>",
      SpanKind.CONSUMER,
      MESSAGING_SYSTEM,
      OPERATION_NAME,
      OPERATION_TYPE,
      BATCH_COUNT,
      SYSTEM,
      PROJECTION_NAME,
      PROJECTION_KEY,
      MESSAGE_CLASS,
      PERSISTENCE_ID,
      ERROR_TYPE);

  private final String verb;
  private final String object;
  private final SpanKind kind;
  private final List<Attribute> attributes;

  /** About a message. */
  SpanType(String verb, SpanKind kind, Attribute... more) {
    this.verb = verb;
    this.object = "<Message>";
    this.kind = kind;
    this.attributes =
        Stream.concat(
                Stream.of(
                    MESSAGING_SYSTEM,
                    OPERATION_NAME,
                    OPERATION_TYPE,
                    DESTINATION_TEMPLATE,
                    SYSTEM,
                    ACTOR_PATH,
                    ACTOR_CLASS,
                    MESSAGE_CLASS),
                Stream.of(more))
            .toList();
  }

  SpanType(String verb, String object, SpanKind kind, Attribute... attributes) {
    this.verb = verb;
    this.object = object;
    this.kind = kind;
    this.attributes = List.of(attributes);
  }

  /** About an actor. */
  SpanType(Operation.Kind operation, Attribute... more) {
    this.verb = operation.word();
    this.object = "<Actor>";
    this.kind = SpanKind.INTERNAL;
    this.attributes =
        Stream.concat(Stream.of(ACTOR_PATH, ACTOR_CLASS, SYSTEM, ERROR_TYPE), Stream.of(more))
            .toList();
  }

  /** The type of the span of an operation. */
  static SpanType of(Operation.Kind operation) {
    return valueOf(operation.name());
  }

  /** The span's name. */
  public String of(String what) {
    return verb + " " + what;
  }

  /** The first word of its name, which is also the name of the operation. */
  String verb() {
    return verb;
  }

  /** How its names are made up: {@code process <Message>}. */
  public String pattern() {
    return of(object);
  }

  public SpanKind kind() {
    return kind;
  }

  public List<Attribute> attributes() {
    return attributes;
  }
}
