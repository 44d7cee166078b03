// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.base.AgentThread;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The page's HTTP server, on 127.0.0.1 only. It starts on a thread of its own, so that nobody waits
 * for it; if it cannot, it says so once and everything else goes on. All its threads are daemons.
 */
public final class PageServer implements AutoCloseable {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final int port;
  private final PageAccess access;
  private final PageSource source;
  private final TraceStore store;
  private final @Nullable ScrapedText metrics;
  private final PageLines say;
  private final CountDownLatch tried = new CountDownLatch(1);
  private volatile @Nullable String url;
  private @Nullable HttpLoop server;
  private boolean closed;

  private PageServer(
      int port,
      PageAccess access,
      PageSource source,
      TraceStore store,
      @Nullable ScrapedText metrics,
      PageLines say) {
    this.port = port;
    this.access = access;
    this.source = source;
    this.store = store;
    this.metrics = metrics;
    this.say = say;
  }

  /**
   * Starts a server in the background.
   *
   * @param port in [0, 65535]; 0 for any free one
   * @param metrics what {@code /metrics} answers, or null for nothing
   * @param say takes the page's address, or why there is no page
   */
  public static PageServer start(
      int port,
      PageAccess access,
      PageSource source,
      TraceStore store,
      @Nullable ScrapedText metrics,
      PageLines say) {
    PageServer page = new PageServer(port, access, source, store, metrics, say);
    AgentThread.start("deimos-page-start", page::tryToBind);
    return page;
  }

  /** The page's address, without any token, or null while there is none. */
  public @Nullable String url() {
    return url;
  }

  /**
   * Waits until the server is up or has failed to come up.
   *
   * @return whether it is up
   */
  public boolean awaitStart(long timeoutMillis) throws InterruptedException {
    return tried.await(timeoutMillis, TimeUnit.MILLISECONDS) && url != null;
  }

  private void tryToBind() {
    try {
      String bound = bind();
      if (bound != null) {
        url = bound;
        say.bound(bound);
      }
    } catch (BindException e) {
      say.failed(
          "no page, since port "
              + port
              + " is in use (deimos.page.port="
              + port
              + "): set deimos.page.port to a free port, or to 0 for any. All else goes on.");
    } catch (Throwable t) {
      say.failed(
          "no page, since its server did not start (deimos.page.port="
              + port
              + "): "
              + t
              + ". Set deimos.page.port to a port in [0, 65535] that this process may open. All"
              + " else goes on.");
    } finally {
      tried.countDown();
    }
  }

  private synchronized @Nullable String bind() throws IOException {
    if (closed) {
      return null;
    }
    AtomicReference<@Nullable PageHandler> handler = new AtomicReference<>();
    HttpLoop made =
        HttpLoop.listen(
            new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port),
            request -> Objects.requireNonNull(handler.get()).handle(request),
            HttpLoop.Bounds.DEFAULT);
    server = made;
    handler.set(
        new PageHandler(
            made.port(), access, Dashboard.load(), source, store, metrics, AnswerMemory.ofHeap()));
    made.start();
    return "http://127.0.0.1:" + made.port();
  }

  @Override
  public synchronized void close() {
    closed = true;
    url = null;
    if (server != null) {
      server.close();
    }
  }
}
