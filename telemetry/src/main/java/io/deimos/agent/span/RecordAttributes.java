// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.hooks.AskHooks;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Content;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.spans.Projected;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.trace.data.LinkData;
import org.jspecify.annotations.Nullable;

/** The names and values that a record's span carries. */
public final class RecordAttributes {
  public static final AttributeKey<String> MESSAGING_SYSTEM =
      Names.text(Attribute.MESSAGING_SYSTEM);
  public static final AttributeKey<String> OPERATION_NAME = Names.text(Attribute.OPERATION_NAME);
  public static final AttributeKey<String> OPERATION_TYPE = Names.text(Attribute.OPERATION_TYPE);
  public static final AttributeKey<String> DESTINATION_TEMPLATE =
      Names.text(Attribute.DESTINATION_TEMPLATE);
  public static final AttributeKey<String> SYSTEM = Names.text(Attribute.SYSTEM);
  public static final AttributeKey<String> ACTOR_PATH = Names.text(Attribute.ACTOR_PATH);
  public static final AttributeKey<String> ACTOR_CLASS = Names.text(Attribute.ACTOR_CLASS);
  public static final AttributeKey<String> MESSAGE_CLASS = Names.text(Attribute.MESSAGE_CLASS);
  public static final AttributeKey<String> SENDER_PATH = Names.text(Attribute.SENDER_PATH);
  public static final AttributeKey<Double> MAILBOX_WAIT = Names.decimal(Attribute.MAILBOX_WAIT);

  public static final AttributeKey<Double> STASH_WAIT = Names.decimal(Attribute.STASH_WAIT);

  public static final AttributeKey<Double> BUFFER_WAIT = Names.decimal(Attribute.BUFFER_WAIT);

  public static final AttributeKey<String> PERSISTENCE_ID = Names.text(Attribute.PERSISTENCE_ID);
  public static final AttributeKey<Long> PERSISTENCE_EVENTS =
      Names.whole(Attribute.PERSISTENCE_EVENTS);

  public static final AttributeKey<String> PROJECTION_NAME = Names.text(Attribute.PROJECTION_NAME);
  public static final AttributeKey<String> PROJECTION_KEY = Names.text(Attribute.PROJECTION_KEY);
  public static final AttributeKey<Long> BATCH_COUNT = Names.whole(Attribute.BATCH_COUNT);

  public static final AttributeKey<String> MESSAGE_CONTENT = Names.text(Attribute.MESSAGE_CONTENT);

  /** The state of the request and of the actor that was asked, if there was no answer in time. */
  public static final AttributeKey<String> ASK_TARGET_STATE =
      Names.text(Attribute.ASK_TARGET_STATE);

  /** On a link: why the trace that is linked to does not go on. */
  public static final AttributeKey<String> LINK_REASON = Names.text(Attribute.LINK_REASON);

  /** The {@code error.type} of an ask that got no answer in time. */
  public static final String TIMEOUT = "timeout";

  public static final AttributeKey<String> ERROR_TYPE = Names.text(Attribute.ERROR_TYPE);

  private RecordAttributes() {}

  /** The span's name: {@code process Order}, {@code ask Order}. */
  public static String name(boolean ask, MessageClass message) {
    return (ask ? SpanType.ASK : SpanType.PROCESS).of(message.simpleName());
  }

  /**
   * The attributes of a processed message.
   *
   * @param sender an {@link ActorTelemetry}, a path, or null
   * @param waitNanos time in the mailbox
   */
  public static void processed(
      AttributesBuilder to,
      MessageClass message,
      @Nullable ActorTelemetry actor,
      @Nullable Object sender,
      long waitNanos,
      @Nullable Rare rare) {
    to.put(MESSAGING_SYSTEM, "pekko");
    to.put(OPERATION_NAME, SpanType.PROCESS.verb());
    to.put(OPERATION_TYPE, "process");
    if (actor != null) {
      destination(to, actor.path());
      to.put(SYSTEM, actor.kind().system());
      to.put(ACTOR_CLASS, actor.className());
    }
    to.put(MESSAGE_CLASS, message.name());
    if (sender != null) {
      to.put(SENDER_PATH, sender.toString());
    }
    to.put(MAILBOX_WAIT, waitNanos / 1e9);
    error(to, rare);
    content(to, rare);
  }

  private static void content(AttributesBuilder to, @Nullable Rare rare) {
    Content content = rare == null ? null : rare.content();
    String text = content == null ? null : content.text();
    if (text != null) {
      to.put(MESSAGE_CONTENT, text);
    }
  }

  /**
   * The attributes of an ask that was answered: the destination is whom it was sent to.
   *
   * @param target an {@link ActorTelemetry}, a path, or null
   * @param asker an {@link ActorTelemetry}, or anything else
   */
  public static void asked(
      AttributesBuilder to, MessageClass message, @Nullable Object target, @Nullable Object asker) {
    to.put(MESSAGING_SYSTEM, "pekko");
    to.put(OPERATION_NAME, SpanType.ASK.verb());
    to.put(OPERATION_TYPE, "send");
    if (target != null) {
      destination(to, target.toString());
    }
    if (target instanceof ActorTelemetry asked) {
      to.put(SYSTEM, asked.kind().system());
      if (!asked.kind().isSilent()) {
        to.put(ACTOR_CLASS, asked.className());
      }
    } else if (target != null) {
      String system = system(target.toString());
      if (system != null) {
        to.put(SYSTEM, system);
      }
    }
    to.put(MESSAGE_CLASS, message.name());
    if (asker instanceof ActorTelemetry actor && !actor.kind().isSilent()) {
      to.put(SENDER_PATH, actor.path());
    }
  }

  /** The failure of an ask, and the state of its request. */
  private static void unanswered(AttributesBuilder to, @Nullable Rare rare) {
    if (rare != null && AskHooks.isTimeout(rare.error())) {
      to.put(ERROR_TYPE, TIMEOUT);
      Ask ask = rare.ask();
      String found = ask == null ? null : ask.targetState();
      if (found != null) {
        to.put(ASK_TARGET_STATE, found);
      }
    } else {
      error(to, rare);
    }
  }

  /** The system in {@code pekko://system@host:port/user/a}; null if there is none. */
  private static @Nullable String system(String path) {
    int from = path.indexOf("://");
    if (from < 0) {
      return null;
    }
    int end = from + 3;
    while (end < path.length() && path.charAt(end) != '/' && path.charAt(end) != '@') {
      end++;
    }
    return path.substring(from + 3, end);
  }

  private static void destination(AttributesBuilder to, String path) {
    to.put(DESTINATION_TEMPLATE, PathTemplate.of(path));
    to.put(ACTOR_PATH, path);
  }

  private static void error(AttributesBuilder to, @Nullable Rare rare) {
    Throwable error = rare == null ? null : rare.error();
    if (error != null) {
      to.put(ERROR_TYPE, error.getClass().getName());
    }
  }

  /** The span's name: {@code persist Cart}. */
  static String name(Operation operation) {
    Projected projected = operation.projected();
    if (projected != null) {
      return SpanType.of(operation.kind()).of(projected.name());
    }
    String actor = operation.actor().className();
    int cut = Math.max(actor.lastIndexOf('.'), actor.lastIndexOf('$', actor.length() - 2));
    return SpanType.of(operation.kind()).of(actor.substring(cut + 1).replace("$", ""));
  }

  /** The attributes of what a projection's handler was given. */
  private static void projected(
      AttributesBuilder to, Operation operation, Projected what, @Nullable Rare rare) {
    to.put(MESSAGING_SYSTEM, "pekko");
    to.put(OPERATION_NAME, SpanType.PROJECT.verb());
    to.put(OPERATION_TYPE, "process");
    to.put(SYSTEM, operation.actor().kind().system());
    to.put(PROJECTION_NAME, what.name());
    to.put(PROJECTION_KEY, what.key());
    String event = what.eventClass();
    if (event != null) {
      to.put(MESSAGE_CLASS, event);
    }
    String id = operation.persistenceId();
    if (id != null) {
      to.put(PERSISTENCE_ID, id);
    }
    if (operation.events() > 1) {
      to.put(BATCH_COUNT, operation.events());
    }
    error(to, rare);
  }

  /** The attributes of an operation. */
  private static void operated(AttributesBuilder to, Operation operation, @Nullable Rare rare) {
    Projected projected = operation.projected();
    if (projected != null) {
      projected(to, operation, projected, rare);
      return;
    }
    ActorTelemetry actor = operation.actor();
    to.put(ACTOR_PATH, actor.path());
    to.put(SYSTEM, actor.kind().system());
    to.put(ACTOR_CLASS, actor.className());
    String id = operation.persistenceId();
    if (id != null) {
      to.put(PERSISTENCE_ID, id);
    }
    if (operation.events() >= 0) {
      to.put(PERSISTENCE_EVENTS, operation.events());
    }
    error(to, rare);
  }

  /** The predecessor of a trace, as a span's link. */
  static LinkData link(Link link) {
    return LinkData.create(
        SpanContext.create(
            TraceId.fromLongs(link.hi(), link.lo()),
            SpanId.fromLong(link.spanId()),
            TraceFlags.getSampled(),
            TraceState.getDefault()),
        Attributes.of(LINK_REASON, link.reason()));
  }

  /** The attributes of one record's span, the user's on top. */
  static Attributes of(RecordedSpan span) {
    AttributesBuilder to = Attributes.builder();
    Operation operation = span.operation();
    if (operation != null) {
      operated(to, operation, span.rare());
    } else if (span.isAsk()) {
      asked(to, span.message(), span.to(), span.from());
      unanswered(to, span.rare());
    } else {
      processed(to, span.message(), span.actor(), span.from(), span.waitNanos(), span.rare());
      if (span.isStashed()) {
        to.put(STASH_WAIT, span.stashNanos() / 1e9);
      }
      if (span.bufferNanos() != 0) {
        to.put(BUFFER_WAIT, span.bufferNanos() / 1e9);
      }
    }
    UserEdits edits = span.userEdits();
    if (edits != null) {
      to.putAll(edits.attributes());
    }
    return to.build();
  }
}
