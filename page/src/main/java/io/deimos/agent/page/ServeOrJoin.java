// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.nodes.Joiner;
import io.deimos.agent.nodes.PageTarget;
import io.deimos.agent.settings.PageAccessMode;
import java.io.IOException;
import java.net.BindException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page, or joins the process of the same user that serves one at its port. When that one
 * ends, all that had joined try to serve after a random pause; one does, and the others join it.
 */
final class ServeOrJoin implements Runnable {
  private static final int MAX_PAUSE_MILLIS = 500;
  private static final int MAX_REJOIN_MILLIS = 5_000;

  /** While nobody can be joined, each pause is longer than the last, up to a minute. */
  private static final int MAX_DOUBLINGS = 7;

  /**
   * How often nobody may answer at a port that is taken, if this process has not joined before. One
   * that has joined goes on for ever: the page may be its own to serve.
   */
  private static final int MAX_SILENT = 3;

  private final PageParts parts;
  private final Listeners listeners;
  private final Joiner joiner;
  private final int port;
  private final CountDownLatch tried = new CountDownLatch(1);
  private volatile boolean isJoined;

  /** The words on a port that is taken, if nothing else comes of it before the end. */
  private volatile @Nullable String undecided;

  ServeOrJoin(PageParts parts, Listeners listeners) {
    this.parts = parts;
    this.listeners = listeners;
    this.port = parts.place().port();
    this.joiner =
        new Joiner(
            parts::card,
            parts.store(),
            new PageForOthers(parts.source(), parts.store()),
            parts.access().page() == PageAccessMode.TOKEN);
  }

  /** Whether another process shows this one on its page. */
  boolean isJoined() {
    return isJoined;
  }

  /** Waits until the server is up, has failed to come up, or has joined another; false if not. */
  boolean awaitTried(long timeoutMillis) throws InterruptedException {
    return tried.await(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * The JVM ends: says what is known of a port that is taken, if whoever has it has let this
   * process wait until now.
   */
  void ending() {
    String known = undecided;
    if (known != null) {
      parts.say().failed(known);
    }
  }

  void close() {
    joiner.close();
  }

  @Override
  public void run() {
    try {
      PageTarget target = parts.place().join();
      if (target == null) {
        serveOrJoin();
      } else {
        keepJoining(target);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      parts
          .say()
          .failed(
              "no page, since its server did not start (deimos.page.port="
                  + port
                  + "): "
                  + t
                  + ". Set deimos.page.port to a port in [0, 65535] that this process may open. All"
                  + " else goes on.");
    } finally {
      undecided = null;
      tried.countDown();
    }
  }

  private void serveOrJoin() throws IOException, InterruptedException {
    int failed = 0;
    boolean hasJoined = false;
    boolean hasSaidWhy = false;
    while (!serves()) {
      undecided = hasJoined ? null : noPage("is in use");
      Joiner.Outcome outcome = join(PageTarget.local(port));
      isJoined = false;
      String why = outcome instanceof Joiner.Refused refused ? refused.why() : null;
      if (outcome instanceof Joiner.Ended) {
        hasJoined = true;
        hasSaidWhy = false;
        failed = 0;
      } else if (++failed >= MAX_SILENT || why != null) {
        if (!hasJoined) {
          parts.say().failed(noPage(why == null ? "is in use" : why));
          return;
        }
        if (why != null && !hasSaidWhy) {
          parts.say().failed(noPage(why) + " This process tries again and again.");
          hasSaidWhy = true;
        } // who has the port may let go of it: a stranger, or one that is stuck
      }
      int most = MAX_PAUSE_MILLIS << Math.min(Math.max(0, failed - MAX_SILENT), MAX_DOUBLINGS);
      Thread.sleep(ThreadLocalRandom.current().nextInt(most));
    }
  }

  /** Whether there is nothing to try any more: this process serves, or is at its end. */
  private boolean serves() throws IOException {
    String bound;
    try {
      bound = listeners.bind();
    } catch (BindException e) {
      return false;
    }
    if (bound != null) {
      parts.say().bound(bound, parts.access());
    }
    return true;
  }

  /** Joins that page, and no other, whenever it is there. */
  private void keepJoining(PageTarget target) throws InterruptedException {
    int pauseMillis = MAX_PAUSE_MILLIS;
    while (!listeners.isClosed()) {
      Joiner.Outcome outcome = join(target);
      isJoined = false;
      if (outcome instanceof Joiner.Ended) {
        pauseMillis = MAX_PAUSE_MILLIS;
      } else {
        parts.say().failed(notJoined(target, outcome));
        tried.countDown();
        pauseMillis = Math.min(MAX_REJOIN_MILLIS, 2 * pauseMillis);
      }
      Thread.sleep(ThreadLocalRandom.current().nextInt(pauseMillis));
    }
  }

  private Joiner.Outcome join(PageTarget target) throws InterruptedException {
    if (parts.access().page() == PageAccessMode.OFF || parts.place().alone() != null) {
      return new Joiner.Refused("is in use");
    }
    return joiner.join(
        target,
        who -> {
          isJoined = true;
          undecided = null;
          parts.say().joined(target.url(), who);
          tried.countDown();
        });
  }

  private static String notJoined(PageTarget target, Joiner.Outcome outcome) {
    String why = outcome instanceof Joiner.Refused refused ? refused.why() : "does not answer";
    return "not on the page at "
        + target.url()
        + ", which "
        + (why.equals(Joiner.Refused.STRANGER) ? "is no page of Deimos" : why)
        + " (deimos.page.join="
        + target.url()
        + "). It is tried again and again; all else goes on.";
  }

  private String noPage(String why) {
    if (parts.place().alone() != null) {
      return "no page, since port " + port + " " + why + ": give it another with --port N";
    }
    return "no page, since port "
        + port
        + " "
        + why
        + " (deimos.page.port="
        + port
        + "): set deimos.page.port to a free port, or to 0 for any. All else goes on.";
  }
}
