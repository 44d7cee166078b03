// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.log.Printable;
import io.deimos.agent.metrics.ScrapedText;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The page of a process. It starts on a thread of its own, so that nobody waits for it; if it
 * cannot, it says so once and everything else goes on. All its threads are daemons.
 */
public final class PageServer implements AutoCloseable {
  private final PageParts parts;
  private final Listeners listeners;
  private final ServeOrJoin way;

  private PageServer(PageParts parts) {
    this.parts = parts;
    this.listeners = new Listeners(parts);
    this.way = new ServeOrJoin(parts, listeners);
  }

  /**
   * Starts a server in the background, or joins another.
   *
   * @param metrics what {@code /metrics} answers, or null for nothing
   * @param say takes the page's address, or why there is no page
   * @param quiet waits until there is time for what only requests need
   */
  public static PageServer start(
      PagePlace place,
      PageAccess access,
      PageSource source,
      TraceStore store,
      @Nullable ScrapedText metrics,
      PageLines say,
      Runnable quiet) {
    return start(place, access, source, store, metrics, say, quiet, Dashboard.OF_JAR);
  }

  static PageServer start(
      PagePlace place,
      PageAccess access,
      PageSource source,
      TraceStore store,
      @Nullable ScrapedText metrics,
      PageLines say,
      Runnable quiet,
      Dashboard dashboard) {
    String id = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    PageServer page =
        new PageServer(
            new PageParts(
                id,
                place,
                access,
                source,
                source.accountant(),
                store,
                new PageParts.Shown(metrics, dashboard),
                say));
    AgentThread.start(
        "deimos-page-start",
        () -> {
          page.way.run();
          page.prepare(quiet);
        });
    return page;
  }

  /** The page's address, without any token, or null while there is none. */
  public @Nullable String url() {
    return listeners.url();
  }

  /**
   * Waits until the server is up, has failed to come up, or has joined another.
   *
   * @return whether it is up
   */
  public boolean awaitStart(long timeoutMillis) throws InterruptedException {
    return way.awaitTried(timeoutMillis) && url() != null;
  }

  /** Whether another process shows this one on its page. */
  public boolean isJoined() {
    return way.isJoined();
  }

  /** The processes on this page; null while this process serves none. */
  public @Nullable Nodes nodes() {
    return listeners.nodes();
  }

  /** The traces that stay in the store behind the page. */
  public TraceStore.Kept kept() {
    return parts.store().kept();
  }

  /**
   * The JVM ends: says what is known of a port that is taken, if whoever has it has let this
   * process wait until now.
   */
  public void ending() {
    way.ending();
  }

  /**
   * Gets ready what only requests need, a hundred classes and the page itself, so that the first
   * does not have to wait for it; nor has the application when it starts.
   */
  private void prepare(Runnable quiet) {
    LazyPage answers = listeners.page();
    if (answers == null) {
      return;
    }
    quiet.run();
    try {
      PageHandler unused = answers.make();
      if (parts.access().page() != PageAccessMode.OFF) {
        parts.shown().dashboard().prepare();
      }
    } catch (Throwable t) {
      Faults.caught(t);
      parts
          .say()
          .failed(
              "the page cannot answer, since what it needs for that could not be made ("
                  + Printable.shortLine(t.toString())
                  + "). It is tried again with each request, which is told if it fails. All else"
                  + " goes on.");
    }
  }

  @Override
  public void close() {
    way.close();
    listeners.close();
  }
}
