// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.actor.Address;
import org.apache.pekko.protobufv3.internal.ByteString;
import org.apache.pekko.remote.ArteryControlFormats;
import org.apache.pekko.remote.ContainerFormats;
import org.apache.pekko.remote.UniqueAddress;

/** Connection headers and frames as Artery writes them, made by hand. */
final class Frames {
  static final int CONTROL = 1;
  static final int ORDINARY = 2;
  static final int LARGE = 3;

  /** The number of Pekko's own serialiser of texts. */
  static final int TEXT = 20;

  /** The number of Artery's own serialiser of control messages. */
  static final int ARTERY = 17;

  private static final int SELECTION = 6;

  /** Reading it takes more stack than a thread has. */
  private static final int DEPTH = 4000;

  private static final byte[] NESTED = selections();

  private static final int FIXED_BYTES = 28;
  private static final int COMPRESSED = 0xFF000000;

  private Frames() {}

  static byte[] header(int stream) {
    return new byte[] {'A', 'K', 'K', 'A', (byte) stream};
  }

  /** A frame with literals for sender, recipient and manifest. */
  static byte[] literal(
      long uid, int serializer, String sender, String recipient, String manifest, byte[] payload) {
    ByteArrayOutputStream literals = new ByteArrayOutputStream();
    for (String text : new String[] {sender, recipient, manifest}) {
      literals.write(text.length());
      literals.write(text.length() >>> 8);
      literals.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    literals.writeBytes(payload);
    return frame(uid, serializer, 0, 0, literals.toByteArray());
  }

  private static byte[] selections() {
    ByteString inner = ByteString.EMPTY;
    for (int depth = 0; depth < DEPTH; depth++) {
      inner =
          ContainerFormats.SelectionEnvelope.newBuilder()
              .setEnclosedMessage(inner)
              .setSerializerId(SELECTION)
              .build()
              .toByteString();
    }
    return inner.toByteArray();
  }

  /** A selection of a selection of a selection. */
  static byte[] nested(long uid, Address to) {
    return literal(uid, SELECTION, "", to + "/", "", NESTED);
  }

  /** A request for a handshake, as the first frame of a control stream. */
  static byte[] handshake(UniqueAddress from, Address to) {
    byte[] request =
        ArteryControlFormats.HandshakeReq.newBuilder()
            .setFrom(unique(from))
            .setTo(address(to))
            .build()
            .toByteArray();
    return control(from.uid(), 'd', request);
  }

  /** A message of Artery's own serialiser, to nobody. */
  static byte[] control(long uid, char manifest, byte[] payload) {
    return literal(uid, ARTERY, "", "", String.valueOf(manifest), payload);
  }

  static ArteryControlFormats.UniqueAddress unique(UniqueAddress of) {
    return ArteryControlFormats.UniqueAddress.newBuilder()
        .setAddress(address(of.address()))
        .setUid(of.uid())
        .build();
  }

  private static ArteryControlFormats.Address address(Address of) {
    return ArteryControlFormats.Address.newBuilder()
        .setProtocol(of.protocol())
        .setSystem(of.system())
        .setHostname(of.host().get())
        .setPort((Integer) of.port().get())
        .build();
  }

  /** A frame whose sender, recipient and manifest are entries of compression tables. */
  static byte[] compressed(long uid, int serializer, byte[] payload) {
    return frame(uid, serializer, 1, COMPRESSED | 1, payload);
  }

  private static byte[] frame(long uid, int serializer, int table, int tag, byte[] rest) {
    return ByteBuffer.allocate(Integer.BYTES + FIXED_BYTES + rest.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(FIXED_BYTES + rest.length)
        .put((byte) 0)
        .put((byte) 0)
        .put((byte) table)
        .put((byte) table)
        .putLong(uid)
        .putInt(serializer)
        .putInt(tag)
        .putInt(tag)
        .putInt(tag)
        .put(rest)
        .array();
  }
}
