// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.http.Reply;
import io.deimos.agent.http.Upgrade;
import io.deimos.agent.http.Wire;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.store.TraceKey;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.housekeeping.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The processes on the page that this process serves: itself, those that have joined, and those
 * that are gone. Safe for any thread.
 */
public final class Nodes {
  /** How many processes may join. */
  static final int MOST = 64;

  /** The same of a page that is no application. */
  private static final int MAX_ALONE = 256;

  private static final int SHARE_OF_HEAP = 32;
  private static final long LEAST_BYTES = Link.MAX_FRAME_BYTES;
  private static final long MAX_BYTES = 32 << 20;

  private static final int MAX_GONE = 16;
  private static final String GONE =
      "this process is gone; of it is known what it told before: see /api/v1/nodes";

  private final String id;
  private final Supplier<ProcessStatus> self;
  private final TraceStore store;
  private final int port;
  private final long since = System.currentTimeMillis();
  private final LinkSecret secret;
  private final Set<NodeLink> links = new LinkedHashSet<>();
  private final Deque<Linked> gone = new ArrayDeque<>();
  private final Senders senders = new Senders(this);
  private final Node.State ownState;
  private final LinkBudget reading = LinkBudget.ofHeap(SHARE_OF_HEAP, LEAST_BYTES, MAX_BYTES);
  private final LinkBudget writing =
      LinkBudget.ofHeap(2 * SHARE_OF_HEAP, LEAST_BYTES / 2, MAX_BYTES / 2);
  private final LinkBudget kept = LinkBudget.ofHeap(SHARE_OF_HEAP, LEAST_BYTES, MAX_BYTES);
  private volatile Runnable watch = () -> {};
  private volatile Supplier<List<TroubleGroup>> between = List::of;
  private long joined;

  /**
   * Begins with this process alone.
   *
   * @param id this process's
   * @param self what this process is, and its counts
   * @param port the one that is served
   * @param alone whether this process is nothing but the page
   * @param shared the token by which processes of other machines join; empty for a file
   */
  public Nodes(
      String id,
      Supplier<ProcessStatus> self,
      TraceStore store,
      int port,
      boolean alone,
      String shared)
      throws IOException {
    this.ownState = alone ? Node.State.PAGE : Node.State.SERVES;
    this.id = id;
    this.self = self;
    Memory.add(Memory.Purpose.LINKS, () -> reading.taken() + writing.taken() + kept.taken());
    this.store = store;
    this.port = port;
    this.secret = shared.isEmpty() ? LinkSecret.make() : LinkSecret.shared(shared);
  }

  /** This process's id. */
  public String id() {
    return id;
  }

  /** This process, with its counts, which are added up for this. */
  public ProcessStatus self() {
    return self.get();
  }

  /**
   * This process first, then those that have joined, those that send OTLP, and those that are gone,
   * the last first.
   */
  public List<Node> all() {
    List<Node> all = new ArrayList<>();
    all.add(own());
    List<Node> sending = senders.all();
    synchronized (links) {
      linked().forEach(one -> all.add(one.node));
      all.addAll(sending);
      gone.forEach(one -> all.add(one.node));
    }
    return all;
  }

  /** The last status of each that has joined. */
  public List<ProcessStatus> cards() {
    synchronized (links) {
      return linked().stream().map(one -> one.node.card()).toList();
    }
  }

  /** Those that have joined. Under the lock. */
  private List<Linked> linked() {
    List<Linked> all = new ArrayList<>();
    for (NodeLink link : links) {
      Node node = link.node(Node.State.JOINED, 0);
      if (node != null) {
        all.add(new Linked(node, link));
      }
    }
    return all;
  }

  private List<Linked> linkedOrGone() {
    synchronized (links) {
      List<Linked> all = linked();
      all.addAll(gone);
      return all;
    }
  }

  /** This process. */
  public Node own() {
    return new Node(self.get(), ownState, since, 0, 0, 0, null);
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
  public Upgrade open(String number) {
    String own = LinkSecret.random();
    return new Opening(
        Map.of(
            Handshake.NUMBER, own,
            Handshake.FILE, secret.place(),
            Handshake.PROOF, secret.proof("serves", port, number, own)),
        proof -> secret.proves(proof, "joins", port, number, own),
        this::accept);
  }

  private void accept(Wire wire) {
    NodeLink link = new NodeLink(this, store, wire);
    synchronized (links) {
      if (links.size() < (ownState == Node.State.PAGE ? MAX_ALONE : MOST)) {
        links.add(link);
      } else {
        link.close();
        return;
      }
    }
    start(link);
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
   * Asks one process; one that is gone has answered before it went, or not.
   *
   * @param told whether who asks has shown the page's token
   * @return null if there is none of this id that can be asked
   */
  public @Nullable Reply ask(String wanted, String target, boolean gzip, boolean told) {
    int how = (gzip ? NodeLink.GZIP : 0) | (told ? NodeLink.TOLD : 0);
    NodeLink asked;
    LastState last = null;
    synchronized (links) {
      asked = links.stream().filter(link -> link.isOf(wanted)).findFirst().orElse(null);
      for (Linked one : gone) {
        if (one.node.card().id().equals(wanted)) {
          last = one.link.last();
          break;
        }
      }
    }
    if (asked != null) {
      return asked.ask(target, how);
    }
    Reply kept = last == null ? null : last.answer(target, gzip);
    return last != null && kept == null ? NodeLink.absence(GONE) : kept;
  }

  /**
   * Has one process change something, for who has shown the page's token. The process may refuse.
   *
   * @return null if there is none of this id
   */
  public @Nullable Reply change(String wanted, String target) {
    NodeLink asked;
    synchronized (links) {
      asked = links.stream().filter(link -> link.isOf(wanted)).findFirst().orElse(null);
    }
    return asked == null ? null : asked.ask(target, NodeLink.TOLD | NodeLink.CHANGES);
  }

  /**
   * Has somebody compare the words of all processes from now on.
   *
   * @param look called by the threads of links, again and again
   * @param trouble gives what was found
   */
  public void watch(Runnable look, Supplier<List<TroubleGroup>> trouble) {
    between = trouble;
    watch = look;
  }

  /** The trouble of other processes, those included that are gone, and that between processes. */
  public List<TroubleGroup> trouble() {
    List<TroubleGroup> all = new ArrayList<>(between.get());
    synchronized (links) {
      links.forEach(link -> all.addAll(link.trouble().groups()));
      gone.forEach(one -> all.addAll(one.link.trouble().groups()));
    }
    return all;
  }

  /** The words of other processes on their clusters, those included that are gone. */
  public List<Said> clusters() {
    return linkedOrGone().stream().map(one -> new Said(one.node, one.link.cluster())).toList();
  }

  /** By how much times of processes are corrected when they are shown, by id. */
  public Map<String, ClockOffset> clocks() {
    Map<String, ClockOffset> all = new HashMap<>();
    for (Linked one : linkedOrGone()) {
      ClockOffset clock = one.node.clock();
      if (clock != null) {
        all.put(one.node.card().id(), clock);
      }
    }
    return all;
  }

  /** Those that send OTLP. */
  public Senders senders() {
    return senders;
  }

  /** The id under which such a process has joined; null if none has. */
  @Nullable String joinedAs(String service, long pid, String host) {
    synchronized (links) {
      for (NodeLink link : links) {
        ProcessStatus card = link.card();
        if (card != null
            && pid != 0
            && card.process().pid() == pid
            && card.process().service().equals(service)
            && (card.process().host().isEmpty() || card.process().host().equals(host))) {
          return card.id();
        }
      }
    }
    return null;
  }

  /** The memory of frames while they are read. */
  LinkBudget reading() {
    return reading;
  }

  /** The memory of frames that wait to be sent. */
  LinkBudget writing() {
    return writing;
  }

  /** The memory of the last answers of processes. */
  LinkBudget kept() {
    return kept;
  }

  /** How many share what is read in a second. */
  int links() {
    synchronized (links) {
      return links.size();
    }
  }

  Welcome welcome() {
    return new Welcome(id, TraceKey.sharedKey());
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
      gone.removeIf(
          one -> {
            boolean isBack = isKnown(one.node.card().id());
            if (isBack) {
              one.link.forget();
            }
            return isBack;
          });
      store.asks(true);
    }
  }

  /** Tells all processes which traces are kept here, so that they send their parts of these. */
  void round() {
    watch.run();
    List<TraceKey> kept = store.newlyKept();
    if (!kept.isEmpty()) {
      List<NodeLink> now;
      synchronized (links) {
        now = List.copyOf(links);
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
      if (node == null) {
        link.forget();
      } else {
        gone.addFirst(new Linked(node, link));
        if (gone.size() > MAX_GONE) {
          gone.removeLast().link.forget();
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
   * How this side begins a link. The other side has to prove who it is before anything is spent on
   * it but a place: no thread, and no more room than the proof takes.
   *
   * @param says headers of the answer
   * @param proves whether this is what only a process of the same user can say
   * @param then takes the connection of who has proven it
   */
  private record Opening(Map<String, String> says, Predicate<String> proves, Consumer<Wire> then)
      implements Upgrade {
    @Override
    public int proofBytes() {
      return Link.HEAD_BYTES + LinkSecret.PROOF_CHARS;
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // the order is the protocol
    public boolean isProof(byte[] frame) {
      ByteBuffer said = ByteBuffer.wrap(frame);
      return said.getInt() == LinkSecret.PROOF_CHARS
          && said.get() == FrameType.HELLO.ordinal()
          && proves.test(StandardCharsets.US_ASCII.decode(said).toString());
    }

    @Override
    public void take(Wire wire) {
      then.accept(wire);
    }
  }

  /**
   * A process and what it says of its clusters.
   *
   * @param cluster null if it has not said anything
   */
  public record Said(Node node, @Nullable ClusterCard cluster) {}

  /** A process and its link; what it said last is with the link even when that has ended. */
  private record Linked(Node node, NodeLink link) {}
}
