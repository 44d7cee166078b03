// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.span.Names;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.counts.OperationMetrics;
import io.deimos.recorder.names.Attribute;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;

/** The attributes of our metrics, all of few values. */
final class MetricNames {
  static final AttributeKey<String> SYSTEM = Names.text(Attribute.SYSTEM);
  static final AttributeKey<String> ACTOR_CLASS = Names.text(Attribute.ACTOR_CLASS);
  static final AttributeKey<String> GROUP = Names.text(Attribute.ACTOR_GROUP);
  static final AttributeKey<String> ASKED_CLASS = Names.text(Attribute.ASK_ACTOR_CLASS);
  static final AttributeKey<String> MESSAGE_CLASS = Names.text(Attribute.MESSAGE_CLASS);
  static final AttributeKey<String> ERROR_TYPE = Names.text(Attribute.ERROR_TYPE);

  static final AttributeKey<String> OPERATION = Names.text(Attribute.PERSISTENCE_OPERATION);

  private MetricNames() {}

  static Attributes of(OperationMetrics.Key key) {
    Attributes of =
        Attributes.of(
            SYSTEM,
            key.actor().system(),
            ACTOR_CLASS,
            key.actor().className(),
            OPERATION,
            key.kind().word());
    String error = key.error();
    return error == null ? of : of.toBuilder().put(ERROR_TYPE, error).build();
  }

  static Attributes of(ActorKind kind) {
    Attributes attributes = Attributes.of(SYSTEM, kind.system(), ACTOR_CLASS, kind.className());
    return kind.group().isEmpty()
        ? attributes
        : attributes.toBuilder().put(GROUP, kind.group()).build();
  }

  static Attributes of(ActorKind kind, MessageClass message) {
    return of(kind).toBuilder().put(MESSAGE_CLASS, message.name()).build();
  }
}
