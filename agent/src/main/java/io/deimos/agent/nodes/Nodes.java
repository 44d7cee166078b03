// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.nodes.LocalPage.Reply;
import io.deimos.agent.store.TraceKey;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The processes on the page that this process serves: itself, those that have joined, and those
 * that are gone. Safe for any thread.
 */
public final class Nodes {
  /** How many processes may join; a stranger who proves nothing makes room for a newer one. */
  static final int MOST = 64;

  private static final int MOST_GONE = 16;

  private final String id;
  private final Supplier<NodeCard> self;
  private final String token;
  private final TraceStore store;
  private final int port;
  private final long since = System.currentTimeMillis();
  private final LinkSecret secret;
  private final Set<NodeLink> links = new LinkedHashSet<>();
  private final Deque<Node> gone = new ArrayDeque<>();
  private long joined;

  /**
   * Begins with this process alone.
   *
   * @param id this process's
   * @param self what this process is, and its counts
   * @param token the page's
   * @param port the one that is served
   */
  public Nodes(String id, Supplier<NodeCard> self, String token, TraceStore store, int port)
      throws IOException {
    this.id = id;
    this.self = self;
    this.token = token;
    this.store = store;
    this.port = port;
    this.secret = LinkSecret.make();
  }

  public NodeCard self() {
    return self.get();
  }

  /** This process first, then those that have joined, then those that are gone, the last first. */
  public List<Node> all() {
    List<Node> all = new ArrayList<>();
    all.add(new Node(self.get(), Node.State.SERVES, since, 0));
    synchronized (links) {
      for (NodeLink link : links) {
        Node node = link.node(Node.State.JOINED, 0);
        if (node != null) {
          all.add(node);
        }
      }
      all.addAll(gone);
    }
    return all;
  }

  /** How many processes have joined since this one serves. */
  public long joinedInAll() {
    synchronized (links) {
      return joined;
    }
  }

  /**
   * The first half of a handshake: what this side says, and who it lets in.
   *
   * @param number chosen by who wants to join
   */
  public Opening open(String number) {
    String own = LinkSecret.random();
    return new Opening(
        Map.of(
            Handshake.NUMBER, own,
            Handshake.FILE, secret.file().toString(),
            Handshake.PROOF, secret.proof("serves", port, number, own)),
        channel -> accept(channel, number, own));
  }

  private void accept(SocketChannel channel, String number, String own) {
    NodeLink link =
        new NodeLink(
            this, store, channel, proof -> secret.proves(proof, "joins", port, number, own));
    NodeLink tooMany = null;
    synchronized (links) {
      if (links.size() >= MOST) {
        tooMany = links.stream().filter(one -> !one.isProven()).findFirst().orElse(link);
      }
      if (tooMany != link) {
        links.add(link);
      }
    }
    if (tooMany != null) {
      tooMany.close();
    }
    if (tooMany != link) {
      start(link);
    }
  }

  private void start(NodeLink link) {
    try {
      link.start();
    } catch (Throwable t) { // no more threads, say
      link.close();
      ended(link);
      throw t;
    }
  }

  /**
   * Asks one process.
   *
   * @return null if there is none of this id that can be asked
   */
  public @Nullable Reply ask(String wanted, String target, boolean gzip) {
    NodeLink asked;
    synchronized (links) {
      asked = links.stream().filter(link -> link.isOf(wanted)).findFirst().orElse(null);
    }
    return asked == null ? null : asked.ask(target, gzip);
  }

  Welcome welcome() {
    return new Welcome(id, token, TraceKey.sharedKey());
  }

  /** Whether this is the id of a process that is here already. */
  boolean isKnown(String other) {
    synchronized (links) {
      return id.equals(other) || links.stream().anyMatch(link -> link.isOf(other));
    }
  }

  /** Another process has said what it is. */
  void joined() {
    synchronized (links) {
      joined++;
      gone.removeIf(node -> isKnown(node.card().id()));
      store.asks(true);
    }
  }

  /** Tells all processes which traces are kept here, so that they send their parts of these. */
  void round() {
    List<TraceKey> kept = store.newlyKept();
    if (!kept.isEmpty()) {
      List<NodeLink> now;
      synchronized (links) {
        now = links.stream().filter(NodeLink::isProven).toList();
      }
      now.forEach(link -> link.wanted(kept));
    }
  }

  void ended(NodeLink link) {
    synchronized (links) {
      if (!links.remove(link)) {
        return;
      }
      Node node = link.node(Node.State.GONE, System.currentTimeMillis());
      if (node != null) {
        gone.addFirst(node);
        if (gone.size() > MOST_GONE) {
          gone.removeLast();
        }
      }
      if (links.isEmpty()) {
        store.asks(false);
      }
    }
  }

  /** Ends all links. */
  public void close() {
    List<NodeLink> now;
    synchronized (links) {
      now = List.copyOf(links);
    }
    now.forEach(NodeLink::close);
  }

  /**
   * How this side begins a link.
   *
   * @param says headers of the answer
   * @param then takes the connection after it
   */
  public record Opening(
      Map<String, String> says, java.util.function.Consumer<SocketChannel> then) {}
}
