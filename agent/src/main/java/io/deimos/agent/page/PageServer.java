// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.Faults;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The page's HTTP server, on 127.0.0.1 only. It starts on a thread of its own, so that nobody waits
 * for it; if it cannot, it says so once and everything else goes on. All its threads are daemons.
 */
public final class PageServer implements AutoCloseable {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int BACKLOG = 16;
  private static final int THREADS = 2;

  private final int port;
  private final PageSource source;
  private final TraceStore store;
  private final @Nullable ScrapedText metrics;
  private final Consumer<String> say;
  private final CountDownLatch tried = new CountDownLatch(1);
  private volatile @Nullable String url;
  private @Nullable HttpServer server;
  private @Nullable ExecutorService workers;
  private boolean closed;

  private PageServer(
      int port,
      PageSource source,
      TraceStore store,
      @Nullable ScrapedText metrics,
      Consumer<String> say) {
    this.port = port;
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
   * @param say takes the line with the page's address, or the one that says why there is no page
   */
  public static PageServer start(
      int port,
      PageSource source,
      TraceStore store,
      @Nullable ScrapedText metrics,
      Consumer<String> say) {
    PageServer page = new PageServer(port, source, store, metrics, say);
    // The HTTP server's dispatcher inherits from this thread that it is a daemon.
    daemon(page::tryToBind, "deimos-page-start").start();
    return page;
  }

  /** The page's address, or null while there is none. */
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
        say.accept("deimos: page at " + bound);
      }
    } catch (BindException e) {
      say.accept(
          "deimos: no page, since port "
              + port
              + " is in use (deimos.page.port="
              + port
              + "): set deimos.page.port to a free port, or to 0 for any. All else goes on.");
    } catch (Throwable t) {
      say.accept(
          "deimos: no page, since its server did not start (deimos.page.port="
              + port
              + "): "
              + t
              + ". Set deimos.page.port to a port in [0, 65535] that this process may open, in a JVM"
              + " with the module jdk.httpserver. All else goes on.");
    } finally {
      tried.countDown();
    }
  }

  private synchronized @Nullable String bind() throws IOException {
    if (closed) {
      return null;
    }
    InetSocketAddress wanted = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
    HttpServer made = HttpServer.create(wanted, BACKLOG);
    int bound = made.getAddress().getPort();
    PageHandler handler = new PageHandler(bound, Dashboard.load(), source, store, metrics);
    HttpContext context =
        made.createContext(
            "/",
            exchange -> {
              try {
                handler.handle(exchange);
              } catch (Throwable t) {
                Faults.caught(t);
              } finally {
                exchange.close();
              }
            });
    // The OpenTelemetry agent adds a filter that would make spans and metrics of our own requests.
    context.getFilters().clear();
    AtomicInteger number = new AtomicInteger();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            THREADS, work -> daemon(work, "deimos-page-" + number.incrementAndGet()));
    made.setExecutor(pool);
    made.start();
    server = made;
    workers = pool;
    return "http://127.0.0.1:" + bound;
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(null, work, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }

  @Override
  public synchronized void close() {
    closed = true;
    url = null;
    if (server != null) {
      server.stop(0);
    }
    if (workers != null) {
      workers.shutdownNow();
    }
  }
}
