// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import io.deimos.recorder.names.Attribute;
import io.opentelemetry.api.common.AttributeKey;

/** The recorder's attributes as OpenTelemetry's keys. */
public final class Names {
  private Names() {}

  public static AttributeKey<String> text(Attribute attribute) {
    return AttributeKey.stringKey(keyOf(attribute, Attribute.Type.STRING));
  }

  public static AttributeKey<Long> whole(Attribute attribute) {
    return AttributeKey.longKey(keyOf(attribute, Attribute.Type.LONG));
  }

  public static AttributeKey<Double> decimal(Attribute attribute) {
    return AttributeKey.doubleKey(keyOf(attribute, Attribute.Type.DOUBLE));
  }

  private static String keyOf(Attribute attribute, Attribute.Type type) {
    if (attribute.type() != type) {
      throw new IllegalArgumentException(attribute + " is no " + type);
    }
    return attribute.key();
  }
}
