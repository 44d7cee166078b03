// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.ActorKind;
import io.deimos.recorder.MessageClass;
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
  static final AttributeKey<String> MESSAGE_CLASS = AttributeKey.stringKey("pekko.message.class");
  static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
  static final AttributeKey<String> REASON = AttributeKey.stringKey("reason");

  private MetricNames() {}

  static Attributes of(ActorKind kind) {
    return Attributes.of(SYSTEM, kind.system(), ACTOR_CLASS, kind.className());
  }

  static Attributes of(ActorKind kind, MessageClass message) {
    return Attributes.of(
        SYSTEM, kind.system(), ACTOR_CLASS, kind.className(), MESSAGE_CLASS, message.name());
  }
}
