// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.event.Logging;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.InboundControlJunction.ControlMessageObserver;
import org.apache.pekko.remote.artery.InboundEnvelope;
import org.apache.pekko.remote.artery.Quarantined;
import scala.util.Try;

/**
 * Two nodes that send each other messages of all kinds, and to whose connections something happens,
 * once or twice. The same program runs over stock Artery and over ours.
 */
final class EventRun implements AutoCloseable {
  /** The possible events. In pairs the earlier one comes first. */
  enum Event {
    IDLE_STOP("idle stop"),
    CUT("cut"),
    QUARANTINE("quarantine"),
    IDLE_QUARANTINE("idle quarantine"),
    INBOUND_RESTART("inbound restart"),
    PEER_RESTART("peer's restart");

    final String words;

    Event(String words) {
      this.words = words;
    }

    /** Whether it begins with a cut of all connections. */
    boolean cuts() {
      return this == CUT || this == IDLE_QUARANTINE || this == PEER_RESTART;
    }
  }

  /** The kinds of messages. */
  enum Kind {
    ORDINARY,
    SYSTEM,
    LARGE,
    ASK
  }

  /** The fate of messages that were sent after an event; the greater, the better. */
  enum Outcome {
    NONE,
    /** The first was lost, a later one arrived. */
    LATER,
    FIRST
  }

  /** From one node to the other. */
  record Way(boolean back, Kind kind) {}

  /**
   * The observations.
   *
   * @param outcomes after the last event
   * @param quarantined whether one of the nodes has the other in quarantine at the end
   * @param logged levels and kinds of what the two nodes logged as a warning or worse
   */
  record Result(Map<Way, Outcome> outcomes, boolean quarantined, Set<String> logged) {}

  private static final String SETTINGS =
      """
      pekko.loglevel = DEBUG
      pekko.loggers = ["io.deimos.remote.node.EventRun$Silent"]
      pekko.remote {
        watch-failure-detector { heartbeat-interval = 1 h, acceptable-heartbeat-pause = 3 h }
        artery {
          large-message-destinations = ["/user/large"]
          advanced {
            shutdown-flush-timeout = 100 ms
            stop-quarantined-after-idle = 200 ms
            outbound-restart-backoff = 200 ms
            compression {
              actor-refs.advertisement-interval = 1 h
              manifests.advertisement-interval = 1 h
            }
          }
        }
      }
      """;

  private static final String IDLE =
      """
      pekko.remote.artery.advanced {
        stop-idle-outbound-after = 500 ms
        tcp.connection-timeout = 2 s
      }
      """;
  private static final String IDLE_QUARANTINE =
      "pekko.remote.artery.advanced.quarantine-idle-outbound-after = 3 s";

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration LITTLE_PATIENCE = Duration.ofSeconds(1);
  private static final long REPEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Pekko sends lost ones again when no new one was sent for its resend interval. */
  private static final long REPEAT_SYSTEM_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final int LARGE_BYTES = 100_000;

  /** Part of what a node logs that was told of its quarantine. */
  private static final String TOLD = "quarantined this node";

  /** The log of a node whose peer expects system messages with other numbers. */
  private static final String REFUSED = "Received negative acknowledgement of system message";

  private final boolean ours;
  private final List<Event> events;
  private final FaultProxy towardsA = new FaultProxy();
  private final FaultProxy towardsB = new FaultProxy();
  private final Set<String> arrived = ConcurrentHashMap.newKeySet();
  private final Set<String> lines = ConcurrentHashMap.newKeySet();
  private final Log logOfA = new Log();
  private Log logOfB = new Log();
  private final AtomicInteger token = new AtomicInteger();
  private final Set<String> watches = ConcurrentHashMap.newKeySet();
  private final Node a;
  private Node b;
  private boolean quarantined;

  /** Pekko's control streams bring no system messages through any more. */
  private boolean outOfStep;

  /** How often a system message was refused for that. */
  private final AtomicInteger refusals = new AtomicInteger();

  EventRun(boolean ours, List<Event> events) throws IOException {
    this.ours = ours;
    this.events = events;
    a = start("a", towardsA, logOfA);
    b = start("b", towardsB, logOfB);
  }

  private Node start(String name, FaultProxy proxy, Log log) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                ours ? Node.OURS : Node.STOCK, FaultTest.QUICK, SETTINGS, FaultTest.behind(proxy)));
    if (events.contains(Event.IDLE_STOP) || events.contains(Event.IDLE_QUARANTINE)) {
      settings.add(IDLE);
    }
    if (events.contains(Event.IDLE_QUARANTINE)) {
      settings.add(IDLE_QUARANTINE);
    }
    Node node = Node.start(name, settings.toArray(new String[0]));
    proxy.forwardTo(FaultTest.bindPort(node));
    ActorRef lines =
        node.system.actorOf(Props.create(Node.Collector.class, new Node.Sink(log::add)), "lines");
    for (Class<?> level :
        List.of(
            Logging.Error.class, Logging.Warning.class, Logging.Info.class, Logging.Debug.class)) {
      node.system.eventStream().subscribe(lines, level);
    }
    node.system.actorOf(
        Props.create(
            Node.Collector.class, new Node.Sink(text -> arrived.add(((String) text).trim()))),
        "large");
    node.system.actorOf(
        Props.create(Node.Collector.class, new Node.Sink(text -> arrived.add((String) text))),
        "ordinary");
    return node;
  }

  /** Runs it. */
  Result run() {
    Map<Way, Outcome> outcomes = round();
    lines.clear();
    for (Event event : events) {
      happen(event);
      outcomes = round();
    }
    boolean isEither = isQuarantined(a, b) || isQuarantined(b, a);
    return new Result(outcomes, isEither, new TreeSet<>(lines));
  }

  private void happen(Event event) {
    switch (event) {
      case CUT ->
          await(
              "both to know of the cut",
              () -> { // again, as something that is sent once more connects again
                towardsA.cutAll();
                towardsB.cutAll();
                return areClosed() && isDisconnected();
              });
      case IDLE_STOP -> await("the idle stop", this::areClosed);
      case QUARANTINE -> {
        Long uid = b.transport().localAddress().uid();
        a.transport().quarantine(b.address(), scala.Option.apply((Object) uid), "test");
        await("the end of connections to a quarantined node", () -> towardsB.open() == 0);
        await("b to know", () -> lines.stream().anyMatch(line -> line.contains(TOLD)));
        quarantined = true;
      }
      case IDLE_QUARANTINE -> {
        refuse(true); // a peer that answers is not idle for long
        await("quarantine", () -> isQuarantined(a, b) && isQuarantined(b, a));
        await("the end of the connections", this::areClosed);
        refuse(false);
        quarantined = true;
      }
      case INBOUND_RESTART -> restartInboundOfB();
      case PEER_RESTART -> restartB();
    }
  }

  private static boolean isQuarantined(Node from, Node to) {
    return from.transport().association(to.address()).associationState().isQuarantined();
  }

  private void refuse(boolean on) {
    towardsA.refuse(on);
    towardsB.refuse(on);
  }

  private void restartB() {
    refuse(true); // as if it had crashed
    b.close();
    logOfB = new Log();
    Node again = start("b", towardsB, logOfB);
    b = again;
    refuse(false);
    quarantined = false;
    outOfStep = false;
  }

  /** Pekko's node quarantines its peer then if that has yet to acknowledge a system message. */
  private void restartInboundOfB() {
    if (!quarantined && !outOfStep) {
      await("all system messages to arrive", () -> arrived.containsAll(watches));
      awaitAcknowledgements();
    }
    RestartTest.failAndRestart(b);
    outOfStep = true;
  }

  /** They have come to b when a later control message has, which means nothing to it. */
  private void awaitAcknowledgements() {
    UniqueAddress here = a.transport().localAddress();
    UniqueAddress nobody = new UniqueAddress(b.address(), here.uid());
    CountDownLatch seen = new CountDownLatch(1);
    RestartTest.controlStream(b).attach(new Seeing(seen, new Quarantined(here, nobody)));
    a.transport().association(b.address()).sendControl(new Quarantined(here, nobody));
    await("acknowledgements", () -> seen.getCount() == 0);
  }

  /** Tells when one control message has come. */
  private record Seeing(CountDownLatch seen, Object message) implements ControlMessageObserver {
    @Override
    public void notify(InboundEnvelope envelope) {
      if (message.equals(envelope.message())) {
        seen.countDown();
      }
    }

    @Override
    public void controlSubjectCompleted(Try<Done> signal) {}
  }

  private boolean areClosed() {
    return towardsA.open() == 0 && towardsB.open() == 0;
  }

  private boolean isDisconnected() {
    return logOfA.isDisconnected() && logOfB.isDisconnected();
  }

  /** Sends messages of all kinds both ways, until one of each has arrived. */
  private Map<Way, Outcome> round() {
    List<Sending> sendings = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      sendings.add(new Sending(new Way(false, kind)));
      sendings.add(new Sending(new Way(true, kind)));
    }
    long begun = System.nanoTime();
    int refused = refusals.get();
    while (sendings.stream().anyMatch(sending -> sending.isWaiting(begun, refused))) {
      sendings.stream().filter(sending -> sending.outcome() == Outcome.NONE).forEach(Sending::send);
      LockSupport.parkNanos(REPEAT_NANOS);
    }
    Map<Way, Outcome> outcomes = new LinkedHashMap<>();
    sendings.forEach(sending -> outcomes.put(sending.way, sending.outcome()));
    return outcomes;
  }

  /** Messages of one kind to one of the nodes. */
  private final class Sending {
    private final Way way;
    private final List<String> sent = new ArrayList<>();
    private long lastNanos;

    Sending(Way way) {
      this.way = way;
    }

    Outcome outcome() {
      if (sent.isEmpty() || sent.stream().noneMatch(arrived::contains)) {
        return Outcome.NONE;
      }
      return arrived.contains(sent.get(0)) ? Outcome.FIRST : Outcome.LATER;
    }

    /** Whether one may still arrive. */
    boolean isWaiting(long begun, int refused) {
      boolean isRefused = outOfStep && way.kind == Kind.SYSTEM && refusals.get() > refused;
      Duration patience = quarantined ? LITTLE_PATIENCE : PATIENCE;
      return outcome() == Outcome.NONE
          && !isRefused
          && System.nanoTime() - begun < patience.toNanos();
    }

    private boolean isDue() {
      return sent.isEmpty()
          || way.kind != Kind.SYSTEM
          || (!outOfStep && System.nanoTime() - lastNanos >= REPEAT_SYSTEM_NANOS);
    }

    void send() {
      if (!isDue()) {
        return;
      }
      lastNanos = System.nanoTime();
      String text = "token-" + token.incrementAndGet();
      sent.add(text);
      Node from = way.back ? b : a;
      Node to = way.back ? a : b;
      switch (way.kind) {
        case ORDINARY -> ref(from, to, "ordinary").tell(text, ActorRef.noSender());
        case LARGE ->
            ref(from, to, "large").tell(text + " ".repeat(LARGE_BYTES), ActorRef.noSender());
        case SYSTEM -> {
          watches.add(text);
          from.system.actorOf(
              Props.create(Watcher.class, ref(from, to, text), new Node.Sink(told(text))));
        }
        case ASK ->
            Patterns.ask(ref(from, to, "echo"), text, PATIENCE)
                .thenAccept(answer -> arrived.add(text));
      }
    }

    private java.util.function.Consumer<Object> told(String text) {
      return terminated -> arrived.add(text);
    }
  }

  /** By address and path alone, so that it is the same actor after a restart. */
  private static ActorRef ref(Node from, Node to, String name) {
    return ((ExtendedActorSystem) from.system)
        .provider()
        .resolveActorRef(to.address() + "/user/" + name);
  }

  /** Prints nothing. */
  static final class Silent extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Logging.InitializeLogger.class,
              begin -> getSender().tell(Logging.loggerInitialized(), getSelf()))
          .matchAny(line -> {})
          .build();
    }
  }

  /** Watches an actor that is not there, and says when it is told so. */
  static final class Watcher extends AbstractActor {
    private final Node.Sink told;

    Watcher(ActorRef watched, Node.Sink told) {
      this.told = told;
      getContext().watch(watched);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Terminated.class, told.target()::accept).build();
    }
  }

  /** The lines of a node on its connections, and of all else that is worth a warning. */
  private final class Log {
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    void add(Object event) {
      Logging.LogEvent line = (Logging.LogEvent) event;
      String text = String.valueOf(line.message());
      if (text.startsWith("Outbound connection opened to")) {
        opened.incrementAndGet();
      } else if (text.startsWith("Outbound connection closed to")) {
        closed.incrementAndGet();
      } else if (line.level() <= Logging.WarningLevel()) {
        String level = line.level() == Logging.WarningLevel() ? "warning" : "error";
        lines.add(level + ": " + kind(text));
        if (text.startsWith(REFUSED)) {
          refusals.incrementAndGet();
        }
      }
    }

    /** Closed connections may be told of twice, after a failure within the pause. */
    boolean isDisconnected() {
      return closed.get() >= opened.get();
    }
  }

  /** A line without what is of this run alone. */
  private static String kind(String text) {
    if (text.startsWith("[outbound connection to")) {
      return "outbound connection failed";
    }
    return text.replaceAll("pekko://\\w+@[\\w.:]+(#-?\\d+)?(/[^\\s\\]]*)?", "ADDRESS")
        .replaceAll("#?-?\\d+", "N")
        .replaceAll("(?s)[.:] .*|\n.*", "");
  }

  private static void await(String what, BooleanSupplier condition) {
    Node.await(what, PATIENCE, condition);
  }

  @Override
  public void close() throws IOException {
    a.close();
    b.close();
    towardsA.close();
    towardsB.close();
  }
}
