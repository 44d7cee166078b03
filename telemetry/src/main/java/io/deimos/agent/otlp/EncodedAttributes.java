// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import java.io.ByteArrayOutputStream;
import java.util.function.Predicate;

/** Parts of a set of attributes, encoded in the order of their keys. */
final class EncodedAttributes {
  private EncodedAttributes() {}

  static byte[] before(AttributeKey<?> key, Attributes all) {
    return matching(all, name -> name.compareTo(key.getKey()) < 0);
  }

  static byte[] after(AttributeKey<?> key, Attributes all) {
    return matching(all, name -> name.compareTo(key.getKey()) > 0);
  }

  static byte[] only(AttributeKey<?> key, Attributes all) {
    return matching(all, key.getKey()::equals);
  }

  private static byte[] matching(Attributes all, Predicate<String> wanted) {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    all.forEach(
        (key, value) -> {
          if (wanted.test(key.getKey())) {
            to.writeBytes(Proto.attribute(key.getKey(), (String) value));
          }
        });
    return to.toByteArray();
  }
}
