// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Where;
import java.util.function.Consumer;

/** Finds classes that Java's serialization handles in a process that writes to other nodes. */
final class JavaSerialization implements Rule {
  private static final About ABOUT =
      About.of(
          "java-serialization",
          "Java's serialization handles messages of this process, which writes to other nodes.",
          "Bind the class to pekko-serialization-jackson or Protobuf under"
              + " pekko.actor.serialization-bindings, then set"
              + " pekko.actor.allow-java-serialization to off.");

  @Override
  public About about() {
    return ABOUT;
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (JavaSerialized serialized : evidence.all(JavaSerialized.class)) {
      if (serialized.sent() > 0) {
        for (String messageClass : serialized.messageClasses()) {
          found.accept(finding(messageClass));
        }
      }
    }
  }

  private static Finding finding(String messageClass) {
    return new Finding(
        ABOUT.id(),
        Finding.Severity.WARNING,
        Finding.Sure.LIKELY,
        Where.HERE.message(messageClass),
        null,
        new Finding.Words(
            "Pekko serializes " + messageClass + " by Java's serialization.",
            "It is slow and large, breaks when the class changes, and whoever reaches the port may"
                + " have code run.",
            ABOUT.advice()),
        Links.SYSTEM);
  }
}
