// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import io.deimos.remote.engine.wire.EnvelopeHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.actor.EmptyLocalActorRef;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.remote.RemoteActorRef;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.ActorRefResolveCacheWithAddress;
import org.apache.pekko.remote.artery.Association;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of the literals of a known peer: actors and manifests, remembered by their bytes.
 * Only short literals are remembered, so that what a connection keeps has a bound.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order.
 */
final class PeerRefs {
  /** Longer paths and manifests are rare, and looked up each time. */
  static final int LONGEST_KEPT_BYTES = 512;

  private static final int REFS = 1024;
  private static final int MANIFESTS = 256;

  private final RemoteActorRefProvider provider;
  private final UniqueAddress here;
  private final ActorRefResolveCacheWithAddress resolver;
  private final ByteCache<InternalActorRef> recipients = new ByteCache<>(REFS);
  private final ByteCache<InternalActorRef> senders = new ByteCache<>(REFS);
  private final ByteCache<String> manifests = new ByteCache<>(MANIFESTS);

  PeerRefs(RemoteActorRefProvider provider, UniqueAddress here) {
    this.provider = provider;
    this.here = here;
    resolver = new ActorRefResolveCacheWithAddress(provider, here);
  }

  /** The recipient a literal means, if it was met before. */
  @Nullable InternalActorRef knownRecipient(ByteBuffer buffer, int from, int length) {
    return length > LONGEST_KEPT_BYTES
        ? null
        : recipients.get(ByteCache.hash(buffer, from, length), buffer, from, length);
  }

  /** The recipient a literal means; null if it may be on its way to be deployed. */
  @Nullable InternalActorRef recipient(ByteBuffer buffer, int from, int length) {
    if (length > LONGEST_KEPT_BYTES) {
      return resolveRecipient(text(buffer, from, length));
    }
    long hash = ByteCache.hash(buffer, from, length);
    InternalActorRef known = recipients.get(hash, buffer, from, length);
    if (known == null) {
      byte[] literal = EnvelopeHeader.copy(buffer, from, length);
      known = resolveRecipient(text(literal));
      if (known != null && cacheable(known)) {
        recipients.put(hash, literal, known);
      }
    }
    return known;
  }

  InternalActorRef sender(ByteBuffer buffer, int from, int length) {
    if (length > LONGEST_KEPT_BYTES) {
      return resolveAnyway(text(buffer, from, length));
    }
    long hash = ByteCache.hash(buffer, from, length);
    InternalActorRef known = senders.get(hash, buffer, from, length);
    if (known == null) {
      byte[] literal = EnvelopeHeader.copy(buffer, from, length);
      known = resolver.resolve(text(literal));
      if (cacheable(known)) {
        senders.put(hash, literal, known);
      }
    } else if (known instanceof RemoteActorRef remote) {
      Association cached = remote.cachedAssociation();
      if (cached != null && cached.isRemovedAfterQuarantined()) {
        remote.cachedAssociation_$eq(null);
      }
    }
    return known;
  }

  String manifest(ByteBuffer buffer, int from, int length) {
    if (length == 0) {
      return "";
    }
    if (length > LONGEST_KEPT_BYTES) {
      return text(buffer, from, length);
    }
    long hash = ByteCache.hash(buffer, from, length);
    String known = manifests.get(hash, buffer, from, length);
    if (known == null) {
      byte[] literal = EnvelopeHeader.copy(buffer, from, length);
      known = text(literal);
      manifests.put(hash, literal, known);
    }
    return known;
  }

  /** The recipient of a path; null if it may be on its way to be deployed. */
  @Nullable InternalActorRef resolveRecipient(String path) {
    InternalActorRef ref = resolveAnyway(path);
    if (ref instanceof EmptyLocalActorRef) {
      var elements = ref.path().elements().iterator();
      if (elements.hasNext() && elements.next().equals("remote")) {
        return null;
      }
    }
    return ref;
  }

  /** The recipient of a path, an empty one if there is none. */
  InternalActorRef resolveAnyway(String path) {
    return path.length() > LONGEST_KEPT_BYTES
        ? provider.resolveActorRefWithLocalAddress(path, here.address())
        : resolver.getOrCompute(path);
  }

  private static String text(ByteBuffer buffer, int from, int length) {
    return text(EnvelopeHeader.copy(buffer, from, length));
  }

  static String text(byte[] literal) {
    return new String(literal, StandardCharsets.ISO_8859_1);
  }

  /** The size of Artery's own cache. */
  private static boolean cacheable(InternalActorRef ref) {
    return !(ref instanceof EmptyLocalActorRef) && !InternalActorRef.isTemporaryRef(ref);
  }
}
