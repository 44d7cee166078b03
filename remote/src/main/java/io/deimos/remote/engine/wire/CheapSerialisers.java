// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

import io.deimos.remote.engine.pekko.Scala;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serializer;

/**
 * The serialisers that may run on whatever thread is at hand, an event loop or a sender's: those of
 * Pekko's own primitives, strings and byte strings.
 *
 * <p><b>Threads.</b> Any.
 */
public final class CheapSerialisers {
  private static final String PEKKO = "org.apache.pekko.";
  private static final Set<String> NAMES =
      Set.of(
          "LongSerializer",
          "IntSerializer",
          "StringSerializer",
          "ByteStringSerializer",
          "BooleanSerializer",
          "ByteArraySerializer",
          "NullSerializer");

  /** Writes handshakes and the like, at little cost; what reads them acts on them. */
  private static final String OF_ARTERY = "ArteryMessageSerializer";

  private final int[] identifiers;
  private final int[] texts;

  /** The ones of an actor system, by their identifiers. */
  public CheapSerialisers(Serialization serialization) {
    identifiers = those(serialization, serialiser -> isPekkos(serialiser) && isCheap(serialiser));
    texts = those(serialization, ShortText::isBy);
  }

  private static int[] those(Serialization serialization, Predicate<Serializer> wanted) {
    return Scala.map(serialization.serializerByIdentity()).values().stream()
        .filter(wanted)
        .mapToInt(Serializer::identifier)
        .toArray();
  }

  /** Whether it makes bytes of a message so fast that no other thread is worth it. */
  public static boolean write(Serializer serialiser) {
    return isPekkos(serialiser)
        && (isCheap(serialiser) || serialiser.getClass().getSimpleName().equals(OF_ARTERY));
  }

  private static boolean isPekkos(Serializer serialiser) {
    return serialiser.getClass().getName().startsWith(PEKKO);
  }

  private static boolean isCheap(Serializer serialiser) {
    return NAMES.contains(serialiser.getClass().getSimpleName());
  }

  /** Whether the one with this identifier makes a message of bytes so fast. */
  public boolean read(int identifier) {
    return contains(identifiers, identifier);
  }

  /** Whether the one with this identifier is Pekko's own for texts. */
  public boolean isText(int identifier) {
    return contains(texts, identifier);
  }

  private static boolean contains(int[] identifiers, int wanted) {
    for (int identifier : identifiers) {
      if (identifier == wanted) {
        return true;
      }
    }
    return false;
  }
}
