// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

import io.deimos.remote.engine.pekko.Scala;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.apache.pekko.remote.artery.ArterySettings;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** The five bytes every connection begins with: four of magic, and the number of the stream. */
public final class ConnectionHeader {
  public static final int BYTES = 5;
  private static final int MAGIC_BYTES = 4;
  private static final byte[] DEFAULT_MAGIC = {'A', 'K', 'K', 'A'};

  private ConnectionHeader() {}

  public static byte[] of(ArterySettings settings, int streamId) {
    byte[] header = new byte[BYTES];
    ByteString magic = (ByteString) read(settings, "TcpMagic");
    byte[] bytes = magic == null ? DEFAULT_MAGIC : magic.toArrayUnsafe();
    System.arraycopy(bytes, 0, header, 0, MAGIC_BYTES);
    header[MAGIC_BYTES] = (byte) streamId;
    return header;
  }

  /** The magics that are let in, as numbers with the first byte highest. */
  public static Set<Integer> accepted(ArterySettings settings) {
    Object values = read(settings, "TcpMagicValues");
    if (!(values instanceof scala.collection.immutable.Set<?> given)) {
      return Set.of(ByteBuffer.wrap(DEFAULT_MAGIC).getInt());
    }
    Set<Integer> magics = new HashSet<>();
    for (Object magic : Scala.set(given)) {
      magics.add(((ByteString) magic).asByteBuffer().getInt());
    }
    return magics;
  }

  /** A setting that older versions of Pekko do not have; null there. */
  private static @Nullable Object read(ArterySettings settings, String name) {
    try {
      Object advanced = settings.Advanced();
      return advanced.getClass().getMethod(name).invoke(advanced);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
