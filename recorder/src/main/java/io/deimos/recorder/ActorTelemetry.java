// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import org.jspecify.annotations.Nullable;

/**
 * What we know of one actor; it hangs on its cell and on its reference. Small, because there may be
 * millions: a number, the path (Pekko's own object), the kind.
 *
 * <p><b>Threads.</b> The kind is written by the thread that starts the actor, under the mailbox's
 * own ordering; other threads see an older kind at worst.
 */
public final class ActorTelemetry {
  private final int id;
  private final Object path;
  private ActorKind kind;
  private @Nullable Object unsettled;
  private byte tries;
  private boolean counted;
  private boolean ended;

  ActorTelemetry(int id, Object path, ActorKind kind) {
    this.id = id;
    this.path = path;
    this.kind = kind;
  }

  public int id() {
    return id;
  }

  /** The actor's path, as Pekko prints it without an address: {@code pekko://system/user/a}. */
  public String path() {
    return path.toString();
  }

  public ActorKind kind() {
    return kind;
  }

  /** Keeps the actor while its kind is provisional, to look at it again. */
  void unsettled(Object actor) {
    unsettled = actor;
  }

  @Nullable Object unsettled() {
    return unsettled;
  }

  /** Replaces a provisional kind; the live count moves with it. */
  synchronized void settle(ActorKind settled) {
    if (counted) {
      kind.countStarted(-1);
      settled.countStarted(1);
    }
    ActorChoice chosen = kind.chosen();
    kind = settled.under(Recorder.rules().actor(settled, path, chosen), chosen);
    unsettled = null;
  }

  /**
   * Other rules hold, or others are seen to: the first time those that were given with the actor.
   */
  synchronized void rule(Rules rules, @Nullable ActorChoice chosen) {
    kind = kind.under(rules.actor(kind, path, chosen), chosen);
  }

  /** How often the class was looked for in vain; after a few times we stop asking. */
  boolean mayTryAgain() {
    return ++tries < 16;
  }

  void started() {
    if (!counted) {
      counted = true;
      kind.countStarted(1);
    }
  }

  /** False before the actor has started, and after it has stopped. */
  public boolean isAlive() {
    return counted;
  }

  /** True once the actor has stopped for good. */
  boolean hasStopped() {
    return ended;
  }

  void stopped() {
    ended = true;
    if (counted) {
      counted = false;
      kind.countStopped();
    }
  }
}
