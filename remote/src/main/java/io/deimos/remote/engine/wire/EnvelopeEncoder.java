// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

import io.deimos.remote.MessageMeter;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.remote.artery.ArteryMessage;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.OutboundEnvelope;
import org.apache.pekko.remote.artery.RemoteInstruments;
import org.apache.pekko.remote.artery.compress.CompressionTable;
import org.apache.pekko.serialization.ByteBufferSerializer;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serializer;
import org.apache.pekko.serialization.Serializers;
import org.apache.pekko.util.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Writes envelopes, bit by bit what Artery's encoder writes, without a string per message: the
 * bytes of actor paths and manifests are kept with what they belong to.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order.
 *
 * <p><b>Record.</b> Little endian:
 *
 * <pre>
 *   +0   version (1)   +1 flags (1; bit 0: metadata)
 *   +2   version of the actor table (1)   +3 of the manifest table (1)
 *   +4   uid of this system (8)           +12 serializer id (4)
 *   +16  sender tag (4)  +20 recipient tag (4)  +24 manifest tag (4):
 *        0xFF000000 | index in the table, or the position of a literal
 *   +28  metadata: length (4), entries; only if flagged
 *        literals in the order of the tags: length (2), bytes
 *        the message
 * </pre>
 */
public final class EnvelopeEncoder {
  public static final int FLAGS = 1;
  public static final int UID = 4;
  static final int SERIALIZER = 12;
  static final int SENDER_TAG = 16;
  static final int RECIPIENT_TAG = 20;
  static final int MANIFEST_TAG = 24;
  static final int FIXED_BYTES = 28;
  static final int TAG_TYPE_MASK = 0xFF000000;
  static final int TAG_VALUE_MASK = 0x0000FFFF;
  public static final int METADATA_FLAG = 1;
  private static final int NOT_COMPRESSED = -1;
  private static final int REFS = 1024;
  private static final int MANIFESTS = 1024;
  private static final int LONGEST_LITERAL = 65535;
  private static final byte[] EMPTY = {};

  private final long uid;
  private final byte version;
  private final RemoteInstruments instruments;
  private final boolean instrumented;
  private final CachedRef[] recipients = new CachedRef[REFS];
  private final CachedRef[] senders = new CachedRef[REFS];
  private Map<String, CachedManifest> manifests = new HashMap<>();
  private CompressionTable<ActorRef> refTable = CompressionTable.empty();
  private CompressionTable<String> manifestTable = CompressionTable.empty();
  private boolean refTableEmpty = true;
  private boolean manifestTableEmpty = true;
  private @Nullable CachedManifest lastManifest;

  public EnvelopeEncoder(long uid, byte version, RemoteInstruments instruments) {
    this.uid = uid;
    this.version = version;
    this.instruments = instruments;
    instrumented = instruments.nonEmpty();
  }

  public void setRefTable(CompressionTable<ActorRef> table) {
    refTable = table;
    refTableEmpty = table.dictionary().isEmpty();
    java.util.Arrays.fill(recipients, null);
    java.util.Arrays.fill(senders, null);
  }

  public void setManifestTable(CompressionTable<String> table) {
    manifestTable = table;
    manifestTableEmpty = table.dictionary().isEmpty();
    manifests = new HashMap<>(); // a new one, as an error may have left the old one half written
    lastManifest = null;
  }

  /** Forgets what is kept of references and manifests, but not the tables. */
  public void forget() {
    setRefTable(refTable);
    setManifestTable(manifestTable);
  }

  /**
   * Writes the envelope of a message from the start of the buffer and leaves it ready to be read.
   * An exception of a serialiser comes through.
   *
   * @param meter who is told of it, if anybody
   */
  public void encode(
      OutboundEnvelope envelope,
      Serializer serializer,
      EnvelopeBuffer buffer,
      @Nullable MessageMeter meter) {
    if (meter == null) {
      write(envelope, serializer, buffer);
    } else {
      long begun = meter.now();
      ActorRef recipient = envelope.recipient();
      Object message = envelope.message();
      try {
        write(envelope, serializer, buffer);
      } finally {
        meter.serialised(
            recipient == null ? null : recipient.path().address(),
            message,
            begun,
            buffer.byteBuffer().position());
      }
    }
    buffer.byteBuffer().flip();
  }

  private void write(OutboundEnvelope envelope, Serializer serializer, EnvelopeBuffer buffer) {
    ByteBuffer bytes = buffer.byteBuffer();
    Object message = envelope.message();
    long start = instrumented && instruments.timeSerialization() ? System.nanoTime() : 0;
    writeHeader(envelope, serializer, Serializers.manifestFor(serializer, message), bytes);
    writeMessage(message, serializer, bytes);
    if (instrumented) {
      long nanos = instruments.timeSerialization() ? System.nanoTime() - start : 0;
      instruments.messageSent(envelope, bytes.position(), nanos);
    }
  }

  private static void writeMessage(Object message, Serializer serializer, ByteBuffer bytes) {
    if (ShortText.isBy(serializer) && ShortText.write((String) message, bytes)) {
      return;
    }
    if (serializer instanceof ByteBufferSerializer direct) {
      direct.toBinary(message, bytes);
    } else {
      bytes.put(serializer.toBinary(message));
    }
  }

  private void writeHeader(
      OutboundEnvelope envelope, Serializer serializer, String manifest, ByteBuffer bytes) {
    // handshakes and the like must be understood whatever the tables are
    boolean compress = !(envelope.message() instanceof ArteryMessage);
    bytes.clear();
    bytes.put(0, version);
    bytes.put(FLAGS, (byte) 0);
    bytes.put(2, refTable.version());
    bytes.put(3, manifestTable.version());
    bytes.putLong(UID, uid);
    bytes.putInt(SERIALIZER, serializer.identifier());
    bytes.position(FIXED_BYTES);
    if (instrumented) {
      instruments.serialize(envelope, bytes);
      if (bytes.position() != FIXED_BYTES) {
        bytes.put(FLAGS, (byte) METADATA_FLAG);
      }
    }
    writeRef(SENDER_TAG, envelope.sender(), senders, compress, bytes);
    writeRef(RECIPIENT_TAG, envelope.recipient(), recipients, compress, bytes);
    writeManifest(manifest, compress, bytes);
  }

  @SuppressWarnings("ReferenceEquality") // another equal reference only costs the cache a miss
  private void writeRef(
      int tagOffset,
      @Nullable ActorRef ref,
      CachedRef[] cache,
      boolean compress,
      ByteBuffer bytes) {
    if (ref == null) {
      writeLiteral(tagOffset, EMPTY, bytes);
      return;
    }
    int slot = System.identityHashCode(ref) & (REFS - 1);
    CachedRef cached = cache[slot];
    if (cached == null || cached.ref != ref) {
      cached = other(ref, cache, slot);
    }
    if (compress && cached.index != NOT_COMPRESSED) {
      bytes.putInt(tagOffset, cached.index | TAG_TYPE_MASK);
    } else {
      writeLiteral(tagOffset, cached.path, bytes);
    }
  }

  /**
   * One of two in neighbouring places that share their slots, or a new one in the first of them.
   */
  @SuppressWarnings("ReferenceEquality") // as above
  private CachedRef other(ActorRef ref, CachedRef[] cache, int slot) {
    CachedRef cached = cache[slot ^ 1];
    if (cached == null || cached.ref != ref) {
      int index = refTableEmpty ? NOT_COMPRESSED : refTable.compress(ref);
      cached = new CachedRef(ref, ascii(Serialization.serializedActorPath(ref)), index);
      if (!InternalActorRef.isTemporaryRef(ref)) {
        cache[slot ^ 1] = cache[slot];
        cache[slot] = cached;
      }
    }
    return cached;
  }

  private void writeManifest(String manifest, boolean compress, ByteBuffer bytes) {
    CachedManifest cached = lastManifest;
    if (cached == null || !cached.manifest.equals(manifest)) {
      cached = manifests.get(manifest);
      if (cached == null) {
        int index = manifestTableEmpty ? NOT_COMPRESSED : manifestTable.compress(manifest);
        cached = new CachedManifest(manifest, ascii(manifest), index);
        if (manifests.size() >= MANIFESTS) {
          manifests.clear();
        }
        manifests.put(manifest, cached);
      }
      lastManifest = cached;
    }
    if (compress && cached.index != NOT_COMPRESSED) {
      bytes.putInt(MANIFEST_TAG, cached.index | TAG_TYPE_MASK);
    } else {
      writeLiteral(MANIFEST_TAG, cached.bytes, bytes);
    }
  }

  private static void writeLiteral(int tagOffset, byte[] literal, ByteBuffer bytes) {
    bytes.putInt(tagOffset, bytes.position());
    bytes.putShort((short) literal.length);
    bytes.put(literal);
  }

  private static byte[] ascii(String text) {
    if (text.length() > LONGEST_LITERAL) {
      throw new IllegalArgumentException(
          "Literals longer than 65535 cannot be encoded in the envelope");
    }
    byte[] bytes = new byte[text.length()];
    Unsafe.copyUSAsciiStrToBytes(text, bytes);
    return bytes;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared, never handed out
  private record CachedRef(ActorRef ref, byte[] path, int index) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared, never handed out
  private record CachedManifest(String manifest, byte[] bytes, int index) {}
}
