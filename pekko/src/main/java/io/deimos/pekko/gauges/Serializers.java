// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.counts.Readings;
import java.util.Map;
import java.util.Objects;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.serialization.JavaSerializer;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.SerializationExtension$;

/**
 * The classes that were handed to Java's serialization, from the table in which Pekko notes the
 * serializer of each class when it needs it first. The interfaces in it are bindings, and so is
 * {@link Throwable}, by Pekko itself.
 */
final class Serializers implements SystemGauges.Part {
  private final ExtendedActorSystem system;

  Serializers(ExtendedActorSystem system) {
    this.system = system;
  }

  @Override
  public String what() {
    return "serializers";
  }

  @Override
  public void read(Readings into) throws ReflectiveOperationException {
    if (!system.hasExtension(SerializationExtension$.MODULE$)) {
      return;
    }
    Serialization serialization = SerializationExtension.get(system);
    Object table = Reflect.field(Serialization.class, "serializerMap").get(serialization);
    ((Map<?, ?>) Objects.requireNonNull(table))
        .forEach(
            (type, serializer) -> {
              if (serializer instanceof JavaSerializer
                  && !((Class<?>) type).isInterface()
                  && type != Throwable.class) {
                into.javaSerialized(((Class<?>) type).getName());
              }
            });
  }
}
