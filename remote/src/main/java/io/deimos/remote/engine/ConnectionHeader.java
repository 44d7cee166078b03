// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import java.util.HashSet;
import java.util.Set;
import org.apache.pekko.remote.artery.ArterySettings;
import org.apache.pekko.util.ByteString;
import scala.jdk.javaapi.CollectionConverters;

/** The five bytes every connection begins with: four of magic, and the number of the stream. */
final class ConnectionHeader {
  static final int BYTES = 5;
  private static final int MAGIC_BYTES = 4;

  private ConnectionHeader() {}

  static byte[] of(ArterySettings settings, int streamId) {
    byte[] magic = settings.Advanced().TcpMagic().toArrayUnsafe();
    byte[] header = new byte[BYTES];
    System.arraycopy(magic, 0, header, 0, MAGIC_BYTES);
    header[MAGIC_BYTES] = (byte) streamId;
    return header;
  }

  /** The magics that are let in, as numbers with the first byte highest. */
  static Set<Integer> accepted(ArterySettings settings) {
    Set<Integer> magics = new HashSet<>();
    for (ByteString magic : CollectionConverters.asJava(settings.Advanced().TcpMagicValues())) {
      magics.add(magic.asByteBuffer().getInt());
    }
    return magics;
  }
}
