// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import io.deimos.recorder.base.Texts;
import org.jspecify.annotations.Nullable;

/**
 * The recorder's knowledge of one actor; it hangs on its cell and on its reference. Small, because
 * there may be millions: a number, the path (Pekko's own object), the kind; where there are very
 * many classes, the name of its own, which is the class's own text.
 *
 * <p><b>Threads.</b> The kind is written by the thread that starts the actor, under the mailbox's
 * own ordering; other threads see an older kind at worst. The thread that takes the number away
 * writes the rest; one that sees that late names an actor that has just ended.
 */
public final class ActorTelemetry {
  /** Longer paths are cut. A name may be as long as one likes, and this is kept and told often. */
  public static final int MAX_PATH = 1024;

  private final int id;
  private Object path;
  private ActorKind kind;

  /**
   * The actor, if the kind is provisional; the name of its own class, if the kind stands for many
   * classes.
   */
  private @Nullable Object more;

  private byte tries;
  private boolean counted;
  private boolean ended;
  private boolean released;

  ActorTelemetry(int id, Object path, ActorKind kind) {
    this.id = id;
    this.path = path;
    this.kind = kind;
  }

  public int id() {
    return id;
  }

  /**
   * The actor's path, as Pekko prints it without an address: {@code pekko://system/user/a}. The
   * first {@value #MAX_PATH} characters of a long one.
   */
  public String path() {
    return Texts.cut(path.toString(), MAX_PATH);
  }

  /** True once records cannot name the actor by its number any more. */
  public boolean isReleased() {
    return released;
  }

  /**
   * The number will be another's. Holders of this object, such as the page's store, must not keep
   * an application's class loader alive through the class of Pekko's path.
   *
   * @param texts gives what stands for the path from now on
   */
  void release(PathTexts texts) {
    release(texts.of(path));
  }

  /** The same where nobody asks for the path any more. */
  void release() {
    release("");
  }

  private void release(Object text) {
    released = true;
    path = text;
    unsettled(null);
  }

  @Override
  public String toString() {
    return path();
  }

  public ActorKind kind() {
    return kind;
  }

  /**
   * The actor's class, or that of a typed actor's behaviour. Its kind may stand for more classes,
   * where there are very many.
   */
  public String className() {
    return more instanceof String name ? name : kind.className();
  }

  /** Says which class it is of. Nothing is kept of that if its kind says the same. */
  public void named(String className) {
    more = kind.className().equals(className) ? null : className;
  }

  /** Keeps the actor while its kind is provisional, to look at it again. */
  public void unsettled(@Nullable Object actor) {
    if (!(more instanceof String)) {
      more = actor;
    }
  }

  public @Nullable Object unsettled() {
    return more instanceof String ? null : more;
  }

  /** Replaces a provisional kind by that of its class; the live count moves with it. */
  public synchronized void settle(ActorKind settled, String className) {
    if (counted) {
      kind.countStarted(-1);
      settled.countStarted(1);
    }
    ActorChoice chosen = kind.chosen();
    kind = settled.under(InForce.rules().actor(settled, path, chosen), chosen);
    named(className);
  }

  /**
   * Other rules hold, or others are seen to: the first time those that were given with the actor.
   */
  public synchronized void rule(Rules rules, @Nullable ActorChoice chosen) {
    kind = kind.under(rules.actor(kind, path, chosen), chosen);
  }

  /** How often the class was looked for in vain; after a few times we stop asking. */
  public boolean mayTryAgain() {
    return ++tries < 16;
  }

  public void started() {
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
  public boolean hasStopped() {
    return ended;
  }

  /** The actor has stopped for good; false if that was told before. */
  public boolean stopped() {
    boolean first = !ended;
    ended = true;
    if (counted) {
      counted = false;
      kind.countStopped();
    }
    return first;
  }
}
