// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.http.HttpLoop;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.processes.ClusterWatch;
import io.deimos.agent.settings.PageAccessMode;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ports at which this process serves its page, from when it has them on. */
final class Listeners implements AutoCloseable {
  private final PageParts parts;
  private final List<HttpLoop> loops = new ArrayList<>();
  private volatile @Nullable LazyPage page;
  private volatile @Nullable Nodes nodes;
  private volatile @Nullable String url;
  private boolean closed;

  Listeners(PageParts parts) {
    this.parts = parts;
  }

  /** The page's address, without any token; null while there is none. */
  @Nullable String url() {
    return url;
  }

  /** The processes on this page; null while this process serves none. */
  @Nullable Nodes nodes() {
    return nodes;
  }

  /** The handler of all requests; null while this process serves none. */
  @Nullable LazyPage page() {
    return page;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /**
   * Listens at all ports.
   *
   * @return the page's address; null after the end
   * @throws BindException if the page's port is taken
   */
  synchronized @Nullable String bind() throws IOException {
    if (closed) {
      return null;
    }
    PagePlace place = parts.place();
    LazyPage made = new LazyPage();
    try {
      int port = listen(place.address(), false, made);
      listenForOtlp(place.otlpAddress(), false, "OTLP", "--otlp-port", made);
      listenForOtlp(place.grpcAddress(), true, "OTLP over gRPC", "--grpc-port", made);
      Nodes all = othersAt(port);
      Callers callers = place.callers(loops.stream().map(HttpLoop::port).toList());
      made.makes(() -> parts.handler(callers, all));
      loops.forEach(HttpLoop::start);
      page = made;
      nodes = all;
      url = place.url(port);
      return url;
    } catch (IOException | RuntimeException | Error e) {
      loops.forEach(HttpLoop::close); // or others would find a port at which nobody answers
      loops.clear();
      throw e;
    }
  }

  private int listen(InetSocketAddress address, boolean forGrpc, LazyPage answers)
      throws IOException {
    HttpLoop made =
        HttpLoop.listen(
            address,
            answers,
            HttpLoop.Bounds.DEFAULT,
            new HttpLoop.Place(parts.place().tls(), forGrpc, parts.accountant()));
    loops.add(made);
    return made.port();
  }

  private void listenForOtlp(
      @Nullable InetSocketAddress address,
      boolean forGrpc,
      String what,
      String option,
      LazyPage answers)
      throws IOException {
    if (address == null || loops.stream().anyMatch(one -> one.port() == address.getPort())) {
      return;
    }
    try {
      int unused = listen(address, forGrpc, answers);
    } catch (BindException e) {
      parts
          .say()
          .failed(
              what
                  + " is taken on the page's own port only, since port "
                  + address.getPort()
                  + " is in use: send it there, or name a free port with "
                  + option);
    }
  }

  /** Null if no other process can join: there is no page, or nothing to prove by who they are. */
  private @Nullable Nodes othersAt(int port) {
    if (parts.access().page() == PageAccessMode.OFF) {
      return null;
    }
    try {
      Nodes all =
          new Nodes(
              parts.id(),
              parts::card,
              parts.store(),
              port,
              parts.place().alone() != null,
              parts.place().sharedToken());
      ClusterWatch.begin(parts.source(), all);
      return all;
    } catch (IOException e) {
      parts
          .say()
          .failed(
              "no other process can join this one's page, since no temporary file could be written"
                  + " ("
                  + e
                  + "): set java.io.tmpdir to a directory that this process can write to");
      return null;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    url = null;
    loops.forEach(HttpLoop::close);
    Nodes all = nodes;
    if (all != null) {
      all.close();
    }
  }
}
