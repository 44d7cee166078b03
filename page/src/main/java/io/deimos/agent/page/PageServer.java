// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.grpc.GrpcService;
import io.deimos.agent.grpc.GrpcTurns;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.HttpLoop;
import io.deimos.agent.http.Request;
import io.deimos.agent.log.Printable;
import io.deimos.agent.metrics.ScrapedText;
import io.deimos.agent.nodes.Joiner;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.nodes.PageTarget;
import io.deimos.agent.nodes.ProcessStatus;
import io.deimos.agent.processes.SelfCard;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The page's HTTP server, on 127.0.0.1 only. It starts on a thread of its own, so that nobody waits
 * for it; if it cannot, it says so once and everything else goes on. All its threads are daemons.
 *
 * <p>Where another process of the same user serves a page already, this one joins it. When that one
 * ends, all that had joined try to serve after a random pause; one does, and the others join it.
 */
public final class PageServer implements AutoCloseable {
  private static final int MAX_PAUSE_MILLIS = 500;
  private static final int MAX_REJOIN_MILLIS = 5_000;

  /** While nobody can be joined, each pause is longer than the last, up to a minute. */
  private static final int MAX_DOUBLINGS = 7;

  /**
   * How often nobody may answer at a port that is taken, if this process has not joined before. One
   * that has joined goes on for ever: the page may be its own to serve.
   */
  private static final int MAX_SILENT = 3;

  private final PagePlace place;
  private final int port;
  private final PageAccess given;
  private final PageSource source;
  private final TraceStore store;
  private final @Nullable ScrapedText metrics;
  private final PageLines say;
  private final Dashboard dashboard;
  private final Accountant accountant;
  private final CountDownLatch tried = new CountDownLatch(1);
  private final String id = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
  private final Joiner joiner;
  private volatile boolean isJoined;
  private volatile @Nullable Nodes nodes;
  private volatile @Nullable String url;
  private volatile @Nullable Answering answering;

  /** The words on a port that is taken, if nothing else comes of it before the end. */
  private volatile @Nullable String undecided;

  private final List<HttpLoop> servers = new ArrayList<>();
  private boolean closed;

  private PageServer(
      PagePlace place,
      PageAccess access,
      PageSource source,
      TraceStore store,
      @Nullable ScrapedText metrics,
      PageLines say,
      Dashboard dashboard) {
    this.place = place;
    this.port = place.port();
    this.given = access;
    this.source = source;
    this.accountant = source.accountant();
    this.store = store;
    this.metrics = metrics;
    this.say = say;
    this.dashboard = dashboard;
    this.joiner =
        new Joiner(
            this::card,
            store,
            new PageForOthers(source, store),
            access.page() == PageAccessMode.TOKEN);
  }

  private ProcessStatus card() {
    return SelfCard.of(id, source, store);
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
    return start(PagePlace.on(port), access, source, store, metrics, say);
  }

  /**
   * Starts a server in the background, or joins another.
   *
   * @param metrics what {@code /metrics} answers, or null for nothing
   * @param say takes the page's address, or why there is no page
   */
  public static PageServer start(
      PagePlace place,
      PageAccess access,
      PageSource source,
      TraceStore store,
      @Nullable ScrapedText metrics,
      PageLines say) {
    return start(place, access, source, store, metrics, say, () -> {});
  }

  /**
   * The same.
   *
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
    PageServer page = new PageServer(place, access, source, store, metrics, say, dashboard);
    AgentThread.start(
        "deimos-page-start",
        () -> {
          page.tryToBind();
          page.prepare(quiet);
        });
    return page;
  }

  /** The page's address, without any token, or null while there is none. */
  public @Nullable String url() {
    return url;
  }

  /**
   * Waits until the server is up, has failed to come up, or has joined another.
   *
   * @return whether it is up
   */
  public boolean awaitStart(long timeoutMillis) throws InterruptedException {
    return tried.await(timeoutMillis, TimeUnit.MILLISECONDS) && url != null;
  }

  /** Whether another process shows this one on its page. */
  public boolean isJoined() {
    return isJoined;
  }

  /** The processes on this page; null while this process serves none. */
  public @Nullable Nodes nodes() {
    return nodes;
  }

  /** The traces that stay in the store behind the page. */
  public TraceStore.Kept kept() {
    return store.kept();
  }

  private void tryToBind() {
    try {
      PageTarget target = place.join();
      if (target != null) {
        keepJoining(target);
        return;
      }
      int failed = 0;
      boolean hasJoined = false;
      boolean hasSaidWhy = false;
      while (true) {
        try {
          serve();
          return;
        } catch (BindException e) {
          undecided = hasJoined ? null : noPage("is in use");
          Joiner.Outcome outcome = joinOther(PageTarget.local(port));
          isJoined = false;
          String why = outcome instanceof Joiner.Refused refused ? refused.why() : null;
          if (outcome instanceof Joiner.Ended) {
            hasJoined = true;
            hasSaidWhy = false;
            failed = 0;
          } else if (++failed >= MAX_SILENT || why != null) {
            if (!hasJoined) {
              say.failed(noPage(why == null ? "is in use" : why));
              return;
            }
            if (why != null && !hasSaidWhy) {
              say.failed(noPage(why) + " This process tries again and again.");
              hasSaidWhy = true;
            } // who has the port may let go of it: a stranger, or one that is stuck
          }
        }
        int most = MAX_PAUSE_MILLIS << Math.min(Math.max(0, failed - MAX_SILENT), MAX_DOUBLINGS);
        Thread.sleep(ThreadLocalRandom.current().nextInt(most));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      say.failed(
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

  /**
   * The JVM ends: says what is known of a port that is taken, if whoever has it has let this
   * process wait until now.
   */
  public void ending() {
    String known = undecided;
    if (known != null) {
      say.failed(known);
    }
  }

  /** Joins that page, and no other, whenever it is there. */
  private void keepJoining(PageTarget target) throws InterruptedException {
    int pauseMillis = MAX_PAUSE_MILLIS;
    while (!isClosed()) {
      Joiner.Outcome outcome = joinOther(target);
      isJoined = false;
      if (outcome instanceof Joiner.Ended) {
        pauseMillis = MAX_PAUSE_MILLIS;
      } else {
        say.failed(notJoined(target, outcome));
        tried.countDown();
        pauseMillis = Math.min(MAX_REJOIN_MILLIS, 2 * pauseMillis);
      }
      Thread.sleep(ThreadLocalRandom.current().nextInt(pauseMillis));
    }
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

  private synchronized boolean isClosed() {
    return closed;
  }

  private String noPage(String why) {
    if (place.alone() != null) {
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

  /**
   * Gets ready what only requests need, a hundred classes and the page itself, so that the first
   * does not have to wait for it; nor has the application when it starts.
   */
  private void prepare(Runnable quiet) {
    Answering answers = answering;
    if (answers == null) {
      return;
    }
    quiet.run();
    try {
      PageHandler unused = answers.handler();
      if (given.page() != PageAccessMode.OFF) {
        dashboard.prepare();
      }
    } catch (Throwable t) {
      Faults.caught(t);
      say.failed(
          "the page cannot answer, since what it needs for that could not be made ("
              + Printable.shortLine(t.toString())
              + "). It is tried again with each request, which is told if it fails. All else goes"
              + " on.");
    }
  }

  /** Answers requests, from the first one on. */
  private static final class Answering {
    private final Supplier<PageHandler> make;
    private volatile @Nullable PageHandler made;

    Answering(Supplier<PageHandler> make) {
      this.make = make;
    }

    /** Null until somebody has needed it. Waits for nobody who makes it. */
    @Nullable PageHandler made() {
      return made;
    }

    synchronized PageHandler handler() {
      PageHandler handler = made;
      if (handler == null) {
        handler = make.get();
        made = handler;
      }
      return handler;
    }
  }

  private void serve() throws IOException {
    String bound = bind();
    if (bound != null) {
      url = bound;
      say.bound(bound, given);
    }
  }

  private Joiner.Outcome joinOther(PageTarget target) throws InterruptedException {
    if (given.page() == PageAccessMode.OFF || place.alone() != null) {
      return new Joiner.Refused("is in use");
    }
    return joiner.join(
        target,
        who -> {
          isJoined = true;
          undecided = null;
          say.joined(target.url(), who);
          tried.countDown();
        });
  }

  private synchronized @Nullable String bind() throws IOException {
    if (closed) {
      return null;
    }
    HttpLoop made = listen(place.address(), false);
    try {
      HttpLoop otlp = listenForOtlp(place.otlpAddress(), false, "OTLP", "--otlp-port");
      HttpLoop grpc = listenForOtlp(place.grpcAddress(), true, "OTLP over gRPC", "--grpc-port");
      Nodes all = othersAt(made.port());
      Callers callers = place.callers(servers.stream().map(HttpLoop::port).toList());
      answering =
          new Answering(
              () ->
                  new PageHandler(
                      callers,
                      given,
                      dashboard,
                      source,
                      store,
                      all,
                      metrics,
                      accountant,
                      place.alone() != null));
      made.start();
      if (otlp != null) {
        otlp.start();
      }
      if (grpc != null) {
        grpc.start();
      }
      nodes = all;
      return place.url(made.port());
    } catch (IOException | RuntimeException | Error e) {
      servers.forEach(HttpLoop::close); // or others would find a port at which nobody answers
      servers.clear();
      throw e;
    }
  }

  /** Null if no other process can join: there is no page, or nothing to prove by who they are. */
  private @Nullable Nodes othersAt(int atPort) {
    if (given.page() == PageAccessMode.OFF) {
      return null;
    }
    try {
      return new Nodes(id, this::card, store, atPort, place.alone() != null, place.sharedToken());
    } catch (IOException e) {
      say.failed(
          "no other process can join this one's page, since no temporary file could be written ("
              + e
              + "): set java.io.tmpdir to a directory that this process can write to");
      return null;
    }
  }

  private HttpLoop listen(InetSocketAddress address, boolean forGrpc) throws IOException {
    HttpLoop made =
        HttpLoop.listen(
            address,
            new HttpLoop.Handler() {
              private Answering answers() {
                return Objects.requireNonNull(answering);
              }

              private PageHandler page() {
                return answers().handler();
              }

              @Override
              public Answer handle(Request request) {
                return page().handle(request);
              }

              @Override
              public @Nullable Answer refusal(Request head) {
                return page().refusal(head);
              }

              @Override
              public boolean takesTurns(Request request) {
                PageHandler made = answers().made();
                return made != null && made.takesTurns(request); // a worker makes the first
              }

              @Override
              public Answer busy(Request request) {
                return page().busy(request);
              }

              @Override
              public Answer refused(Request head, int status, String why) {
                return page().refused(head, status, why);
              }

              @Override
              public @Nullable GrpcService grpc(AnswerMemory memory, GrpcTurns turns) {
                return page().grpc(memory, turns);
              }

              @Override
              public int mostBodyBytes(Request head) {
                return page().mostBodyBytes(head);
              }
            },
            HttpLoop.Bounds.DEFAULT,
            new HttpLoop.Place(place.tls(), forGrpc, accountant));
    servers.add(made);
    return made;
  }

  private @Nullable HttpLoop listenForOtlp(
      @Nullable InetSocketAddress address, boolean forGrpc, String what, String option)
      throws IOException {
    if (address == null || servers.stream().anyMatch(one -> one.port() == address.getPort())) {
      return null;
    }
    try {
      return listen(address, forGrpc);
    } catch (BindException e) {
      say.failed(
          what
              + " is taken on the page's own port only, since port "
              + address.getPort()
              + " is in use: send it there, or name a free port with "
              + option);
      return null;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    url = null;
    joiner.close();
    servers.forEach(HttpLoop::close);
    Nodes all = nodes;
    if (all != null) {
      all.close();
    }
  }
}
