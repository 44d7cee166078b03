// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.apache.pekko.actor.EmptyLocalActorRef;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.event.LoggingAdapter;
import org.jspecify.annotations.Nullable;

/**
 * The first message to an actor that is being deployed from afar may come before the actor is
 * there: it is looked for again and again for a second, as Artery does it, and after that never
 * again, as looking holds up other messages.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order.
 */
final class DeployRetry {
  /** Between two looks. */
  static final Duration PAUSE = Duration.ofMillis(50);

  private static final int RETRIES = 20;
  private static final int BANNED = 100;

  private final PeerRefs refs;
  private final LoggingAdapter log;
  private final Set<String> banned = new HashSet<>();
  private @Nullable Object message;
  private String path = "";
  private int left;

  DeployRetry(PeerRefs refs, LoggingAdapter log) {
    this.refs = refs;
    this.log = log;
  }

  /**
   * The actor that gets the messages for this path, if it was looked for in vain before; else null.
   */
  @Nullable InternalActorRef ofBanned(String path) {
    if (!banned.contains(path)) {
      return null;
    }
    InternalActorRef ref = refs.resolveAnyway(path);
    if (ref instanceof EmptyLocalActorRef) {
      log.warning(
          "Message for banned (terminated, unresolved) remote deployed recipient [{}].", path);
    }
    return ref;
  }

  /** Begins to look for whom a message is meant. */
  void begin(String path, Object message) {
    this.path = path;
    this.message = message;
    left = RETRIES;
  }

  boolean isWaiting() {
    return message != null;
  }

  /** Looks once; returns null if the message has to wait longer. */
  @Nullable InternalActorRef lookAgain() {
    InternalActorRef ref = refs.resolveRecipient(path);
    if (ref == null && left-- > 0) {
      return null;
    }
    if (ref == null) {
      if (banned.size() >= BANNED) {
        banned.clear(); // keep it bounded
      }
      banned.add(path);
      ref = refs.resolveAnyway(path);
    }
    return ref;
  }

  /** The message that was waiting. */
  @Nullable Object takeMessage() {
    Object taken = message;
    message = null;
    return taken;
  }
}
