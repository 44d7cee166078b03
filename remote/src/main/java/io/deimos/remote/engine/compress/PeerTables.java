// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.compress;

import io.deimos.remote.engine.count.Refusal;
import io.deimos.remote.engine.count.Refusals;
import io.deimos.remote.engine.wire.EnvelopeHeader;
import java.util.Arrays;
import org.apache.pekko.actor.InternalActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a peer's compression tables that one connection has met. An entry of a version
 * never changes, so each is asked for once.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order.
 */
public final class PeerTables {
  private static final int UNREAD = -1;

  private final CompressionGate gate;
  private final Refusals refusals;
  private long uid;
  private int refTable = UNREAD;
  private int manifestTable = UNREAD;
  private @Nullable InternalActorRef[] refs = new InternalActorRef[0];
  private @Nullable String[] manifests = new String[0];

  public PeerTables(CompressionGate gate, Refusals refusals) {
    this.gate = gate;
    this.refusals = refusals;
  }

  /** Turns to the tables that an envelope was written with. */
  public void select(EnvelopeHeader header) {
    boolean other = header.uid != uid;
    uid = header.uid;
    if (other || header.refTable != refTable) {
      refTable = header.refTable;
      refs = new InternalActorRef[0];
    }
    if (other || header.manifestTable != manifestTable) {
      manifestTable = header.manifestTable;
      manifests = new String[0];
    }
  }

  /** Whether these are the tables of the last envelope, so that what they know may be asked for. */
  public boolean isSelected(EnvelopeHeader header) {
    return header.uid == uid
        && header.refTable == refTable
        && header.manifestTable == manifestTable;
  }

  /** The actor with this index, if it was met before. */
  public @Nullable InternalActorRef knownRef(int index) {
    return index < refs.length ? refs[index] : null;
  }

  /** The manifest with this index, if it was met before. */
  public @Nullable String knownManifest(int index) {
    return index < manifests.length ? manifests[index] : null;
  }

  /** The actor with this index; null if there is none. May wait for other threads. */
  public @Nullable InternalActorRef ref(int index) {
    InternalActorRef known = knownRef(index);
    if (known == null) {
      try {
        known = (InternalActorRef) gate.ref(uid, (byte) refTable, index);
      } catch (RuntimeException e) {
        // probably version mismatch due to restarted system
        refuse("actor ref", e);
      }
      if (known != null) {
        refs = Arrays.copyOf(refs, Math.max(index + 1, refs.length));
        refs[index] = known;
      }
    }
    return known;
  }

  /** The manifest with this index; null if there is none. May wait for other threads. */
  public @Nullable String manifest(int index) {
    String known = knownManifest(index);
    if (known == null) {
      try {
        known = gate.manifest(uid, (byte) manifestTable, index);
      } catch (RuntimeException e) {
        refuse("manifest", e);
      }
      if (known != null) {
        manifests = Arrays.copyOf(manifests, Math.max(index + 1, manifests.length));
        manifests[index] = known;
      }
    }
    return known;
  }

  private void refuse(String what, RuntimeException e) {
    refusals.refused(
        Refusal.BAD_FRAME, "Couldn't decompress " + what + " from originUid [" + uid + "]. " + e);
  }
}
