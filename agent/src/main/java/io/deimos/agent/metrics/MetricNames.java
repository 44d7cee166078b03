// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.counts.OperationMetrics;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;

/** The attributes of our metrics, all of few values. */
final class MetricNames {
  /** The scope of all our instruments. */
  static final String SCOPE_NAME = "io.deimos.pekko";

  static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create(SCOPE_NAME);
  static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("pekko.system");
  static final AttributeKey<String> ACTOR_CLASS = AttributeKey.stringKey("pekko.actor.class");
  static final AttributeKey<String> GROUP = AttributeKey.stringKey("pekko.actor.group");
  static final AttributeKey<String> ASKED_CLASS = AttributeKey.stringKey("pekko.ask.actor.class");
  static final AttributeKey<String> OF = AttributeKey.stringKey("deimos.metric.of");
  static final AttributeKey<String> MESSAGE_CLASS = AttributeKey.stringKey("pekko.message.class");
  static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
  static final AttributeKey<String> REASON = AttributeKey.stringKey("reason");

  static final AttributeKey<String> OPERATION =
      AttributeKey.stringKey("pekko.persistence.operation");

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
