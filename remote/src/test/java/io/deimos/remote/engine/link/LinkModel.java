// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.FlushReason;
import io.deimos.remote.engine.count.Counters;
import io.deimos.remote.engine.link.OutboundLink.Room;
import io.deimos.remote.engine.net.DirectSocket;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.apache.pekko.remote.artery.Association;
import org.jspecify.annotations.Nullable;

/**
 * A real link with a made-up network, clock and event loops: two senders, one of which may write by
 * itself, a stop, connections that come about or end, and loops that die. Each step is what one
 * thread does between two looks at what it shares with others, so any order of steps is one of
 * threads.
 *
 * <p>An event that is no must (a loss, a death, the stop) has a budget.
 */
final class LinkModel implements LinkWorld {
  private static final int RESTARTS = 1;

  /** A frame is its length's four bytes, the sender, and its number. */
  static final int FRAME_BYTES = 6;

  /** How often something happens that need not. */
  record Budget(int appended, int direct, int losses, int deaths, int stops, boolean quarantine) {}

  /** A thread of the model's, by the number of its event loop. */
  private final class Loop {
    /** The link's own runs, and ends of connections. */
    final Deque<Runnable> tasks = new ArrayDeque<>();

    final EventLoop face =
        (EventLoop)
            Proxy.newProxyInstance(
                EventLoop.class.getClassLoader(),
                new Class<?>[] {EventLoop.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "inEventLoop" -> here == this;
                      case "execute" -> execute((Runnable) arguments[0]);
                      case "hashCode" -> System.identityHashCode(proxy);
                      case "equals" -> proxy == arguments[0];
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    boolean dead;

    /** Where the link's task is: 1 after the events, 2 after the batch. */
    int stage;

    private @Nullable Object execute(Runnable task) {
      if (dead) {
        throw new RejectedExecutionException("dead");
      }
      tasks.add(task);
      return null;
    }
  }

  final ModelBuffers buffers = new ModelBuffers();
  final Counters counters = new Counters("model", "peer", "out", "ordinary");
  final List<ModelConnection> connections = new ArrayList<>();
  private final List<Loop> loopOf = new ArrayList<>();
  final OutboundLink link;
  int handedOver;

  /** How often the owner was told of the end. */
  int ended;

  private final List<Loop> loops = new ArrayList<>();
  private final List<Runnable> pauses = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private @Nullable Loop here;
  private int losses;
  private int deaths;
  private int stops;
  private final Budget budget;
  private @Nullable Boolean stopping;

  /** The sender that copies: how many frames are left, and where it is with the present one. */
  private int appends;

  private String appender = "ask";

  /** The sender that writes by itself. */
  private int directs;

  private String writer = "lease";
  private @Nullable Lease lease;
  private ByteBuffer direct = frame(0, 0);
  private @Nullable Chunk unsent;
  private int number;

  LinkModel(Budget budget) {
    this.budget = budget;
    losses = budget.losses;
    deaths = budget.deaths;
    stops = budget.stops;
    appends = budget.appended;
    directs = budget.direct;
    link = new OutboundLink(this, counters, List.of(), failure -> ended++);
  }

  private static ByteBuffer frame(int sender, int number) {
    return ByteBuffer.allocate(2).put(0, (byte) sender).put(1, (byte) number);
  }

  @Override
  public ByteBufAllocator buffers() {
    return buffers;
  }

  @Override
  public int maxRestarts() {
    return RESTARTS;
  }

  @Override
  public long minBackoffNanos() {
    return 1;
  }

  @Override
  public EventLoop firstLoop() {
    loops.add(new Loop());
    return loops.get(0).face;
  }

  /** Another one only in place of one that has died; two that live make no difference here. */
  @Override
  public EventLoop nextLoop(EventLoop last) {
    if (loops.get(loops.size() - 1).dead) {
      loops.add(new Loop());
    }
    return loops.get(loops.size() - 1).face;
  }

  @Override
  public long nanoTime() {
    return 0;
  }

  @Override
  public double noise() {
    return 0;
  }

  @Override
  public boolean later(Duration pause, Runnable task) {
    pauses.add(task);
    return true;
  }

  @Override
  public Connection newConnection(EventLoop loop, Connection.Listener listener) {
    Loop of = loops.stream().filter(one -> one.face == loop).findFirst().orElseThrow();
    ModelConnection fresh =
        new ModelConnection(connections.size(), new Told(listener), task -> onLoop(of, task));
    connections.add(fresh);
    loopOf.add(of);
    return fresh;
  }

  /** As a connector does; false if the loop is dead. */
  private boolean onLoop(Loop loop, Runnable task) {
    if (here == loop) {
      task.run();
    } else if (loop.dead) {
      return false;
    } else {
      loop.tasks.add(task);
    }
    return true;
  }

  /** All that can happen now: its name, and what it does. Steps that need not begin with "may". */
  Map<String, Runnable> steps() {
    Map<String, Runnable> steps = new LinkedHashMap<>();
    for (Loop loop : loops) {
      loopSteps(loop, steps);
    }
    if (!pauses.isEmpty()) {
      steps.put(
          "pause over",
          () -> {
            told.add("pause");
            pauses.remove(0).run();
          });
    }
    appenderSteps(steps);
    writerSteps(steps);
    Boolean sends = stopping;
    if (sends != null) {
      steps.put(
          "stop goes on",
          () -> {
            stopping = null;
            told.add("stop " + sends);
            link.link.close(sends);
          });
    } else if (stops > 0) {
      steps.put(
          "may stop",
          () -> {
            stops--;
            stopping =
                link.shut(
                    budget.quarantine
                        ? Association.OutboundStreamStopQuarantinedSignal$.MODULE$
                        : null);
          });
    }
    return steps;
  }

  /** Takes one of the {@link #steps}. */
  void take(String step) {
    Objects.requireNonNull(steps().get(step), step).run();
  }

  private void on(Loop loop, Runnable step) {
    here = loop;
    step.run();
    here = null;
  }

  private void loopSteps(Loop loop, Map<String, Runnable> steps) {
    String name = "loop " + loops.indexOf(loop) + " ";
    Runnable next = loop.tasks.peek();
    if (next == link.link.run) {
      steps.put(name + "run " + loop.stage, () -> on(loop, () -> runOn(loop)));
      return; // it does nothing else before the end of its task
    }
    if (next != null) {
      steps.put(name + "task", () -> on(loop, () -> loop.tasks.remove().run()));
    }
    for (int i = 0; i < connections.size(); i++) {
      if (loopOf.get(i) == loop) {
        Map<String, Runnable> own = new LinkedHashMap<>();
        connections.get(i).steps(name, losses > 0, () -> losses--, own);
        own.forEach((what, step) -> steps.put(what, () -> on(loop, step)));
      }
    }
    if (deaths > 0 && !loop.dead && loop.tasks.isEmpty()) {
      steps.put(
          "may " + name + "die",
          () -> {
            deaths--;
            loop.dead = true;
            for (int i = 0; i < connections.size(); i++) {
              if (loopOf.get(i) == loop) {
                connections.get(i).end("its loop died");
              }
            }
          });
    }
  }

  private void runOn(Loop loop) {
    switch (loop.stage++) {
      case 0 -> link.link.events();
      case 1 -> link.link.batch();
      default -> {
        loop.stage = 0;
        loop.tasks.remove();
        link.link.task.finish();
      }
    }
  }

  private void appenderSteps(Map<String, Runnable> steps) {
    if (appends == 0 || appender.equals("parked")) {
      return;
    }
    steps.put(
        "appender " + appender,
        () -> {
          switch (appender) {
            case "ask" -> {
              Room room = link.parkIfFull(() -> appender = "ask");
              switch (room) {
                case FREE -> appender = "append";
                case FULL -> appender = "parked";
                case CLOSED -> appends = 0;
              }
            }
            case "append" -> {
              handedOver++;
              boolean taken = link.outbox.append(frame(1, ++number));
              if (!taken) {
                link.counts.dropped(1);
              }
              appender = taken ? "wake" : "ask";
              appends -= taken ? 0 : 1;
            }
            default -> {
              appends--;
              appender = "ask";
              link.link.wake();
            }
          }
        });
  }

  /** A frame that cannot be written at once is offered, as a lane does. */
  private void writerSteps(Map<String, Runnable> steps) {
    if (directs == 0) {
      return;
    }
    if (writer.equals("send")) {
      for (ModelConnection.Takes takes : ModelConnection.Takes.values()) {
        steps.put("writer sends, the socket takes " + takes, () -> send(takes));
      }
      return;
    }
    steps.put("writer " + writer, this::writerGoesOn);
  }

  private void send(ModelConnection.Takes takes) {
    ((ModelConnection) held().socket()).takes = takes;
    try {
      unsent = link.send(held(), direct);
      writer = "give back";
    } catch (IOException e) {
      writer = "fail";
    }
  }

  private void writerGoesOn() {
    switch (writer) {
      case "lease" -> {
        handedOver++;
        direct = frame(2, ++number);
        lease = link.outbox.lease(FRAME_BYTES);
        writer = lease == null ? "offer" : "send";
      }
      case "offer" -> {
        ByteBuf buffer = buffers.buffer(FRAME_BYTES);
        Chunk chunk = new Chunk(buffer, 0, FlushReason.DRAINED);
        chunk.append(direct);
        boolean taken = link.outbox.add(chunk);
        if (!taken) {
          link.counts.dropped(1);
          buffer.release();
        }
        writer = taken ? "wake" : "lease";
        directs -= taken ? 0 : 1;
      }
      case "give back" -> {
        writerDone();
        link.giveBack(held(), FRAME_BYTES, unsent);
      }
      case "fail" -> {
        writerDone();
        link.failed(held(), new IOException("model"));
      }
      default -> {
        writerDone();
        link.link.wake();
      }
    }
  }

  private Lease held() {
    return Objects.requireNonNull(lease);
  }

  private void writerDone() {
    writer = "lease";
    directs--;
  }

  boolean isStopped() {
    return stops < budget.stops;
  }

  /** Whether somebody waits for room. */
  boolean isParked() {
    return appends > 0 && appender.equals("parked");
  }

  /** All that tells one state from another. */
  String state() {
    StringBuilder all = new StringBuilder();
    all.append(link.outbox).append('|').append(link.link).append('|');
    int lastTold = link.link.events.size();
    all.append(told.subList(told.size() - lastTold, told.size()));
    for (Loop loop : loops) {
      all.append('|').append(loop.dead).append(loop.stage);
      loop.tasks.forEach(task -> all.append(task == link.link.run ? "run" : "task").append(','));
    }
    connections.forEach(connection -> all.append('|').append(connection));
    return all.append('|')
        .append(pauses.size())
        .append(appends)
        .append(appender)
        .append(directs)
        .append(writer)
        .append(unsent)
        .append(direct.get(1))
        .append(number)
        .append(losses)
        .append(deaths)
        .append(stops)
        .append(stopping)
        .append(counters.dropped.sum())
        .append(',')
        .append(counters.messages.sum())
        .toString();
  }

  /** Says what is told, so that states can be compared. */
  private final class Told implements Connection.Listener {
    private final Connection.Listener link;

    Told(Connection.Listener link) {
      this.link = link;
    }

    @Override
    public void opened(Connection connection) {
      told.add("opened " + connections.indexOf(connection));
      link.opened(connection);
    }

    @Override
    public void headerWritten(Connection connection, DirectSocket socket) {
      told.add("header " + connections.indexOf(connection));
      link.headerWritten(connection, socket);
    }

    @Override
    public void received(Connection connection, Throwable complaint) {
      told.add("received " + connections.indexOf(connection));
      link.received(connection, complaint);
    }

    @Override
    public void lost(Connection connection, @Nullable Throwable reason) {
      told.add("lost " + connections.indexOf(connection));
      link.lost(connection, reason);
    }
  }
}
