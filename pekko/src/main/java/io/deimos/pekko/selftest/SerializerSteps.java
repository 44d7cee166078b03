// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.hooks.SerializationHooks;
import org.apache.pekko.remote.MessageSerializer$;

/**
 * The border to other nodes. With nothing to serialize it fails, which a hook sees all the same.
 */
final class SerializerSteps {
  private SerializerSteps() {}

  static void run(Steps steps) {
    steps.check(
        "MessageSerializer$.serializeForArtery",
        () -> {
          long before = SerializationHooks.serializations();
          failing(() -> MessageSerializer$.MODULE$.serializeForArtery(null, null, null, null));
          return SerializationHooks.serializations() > before;
        });
    steps.check(
        "MessageSerializer$.deserializeForArtery",
        () -> {
          long before = SerializationHooks.deserializations();
          failing(
              () -> MessageSerializer$.MODULE$.deserializeForArtery(null, 0, null, 0, "", null));
          return SerializationHooks.deserializations() > before;
        });
  }

  private static void failing(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      // as it should
    }
  }
}
