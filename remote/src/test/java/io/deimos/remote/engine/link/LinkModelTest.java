// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.engine.link.LinkState.Phase;
import io.deimos.remote.engine.link.OutboundLink.Room;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The protocol of a link in every order of its threads' steps: a link's life, turns of senders, the
 * serial task, reconnects and the stop. Every state that can be reached within the budgets is
 * visited once, whatever its depth; a failure names the steps that lead to it.
 */
class LinkModelTest {

  /** The most that happens: frames copied, frames that may go directly, losses, deaths, stops. */
  static List<LinkModel.Budget> budgets() {
    return List.of(
        new LinkModel.Budget(1, 2, 1, 0, 0, false),
        new LinkModel.Budget(2, 1, 2, 0, 0, false),
        new LinkModel.Budget(1, 1, 1, 0, 1, false),
        new LinkModel.Budget(1, 1, 1, 0, 1, true),
        new LinkModel.Budget(1, 1, 0, 1, 1, false));
  }

  @ParameterizedTest
  @MethodSource("budgets")
  void link_anyOrderOfSteps_keepsItsPromises(LinkModel.Budget budget) {
    Set<String> seen = new HashSet<>();
    Deque<List<String>> open = new ArrayDeque<>();
    open.add(List.of());
    while (!open.isEmpty()) {
      List<String> path = new ArrayList<>(open.removeLast());
      LinkModel model = new LinkModel(budget);
      path.forEach(model::take);
      for (String state = model.state(); seen.add(state); state = model.state()) {
        Map<String, Runnable> steps = model.steps();
        check(model, path, state, steps);
        Iterator<Map.Entry<String, Runnable>> each = steps.entrySet().iterator();
        if (each.hasNext()) {
          Map.Entry<String, Runnable> first = each.next();
          each.forEachRemaining(other -> open.add(with(path, other.getKey())));
          path.add(first.getKey());
          first.getValue().run();
        }
      }
    }
    assertThat(seen).hasSizeGreaterThan(1000);
  }

  /** One connection is over, and the next is under way. */
  @Test
  void report_ofAnEarlierConnection_changesNothing() {
    LinkModel model = new LinkModel(new LinkModel.Budget(2, 0, 0, 0, 0, false));
    goOn(model, () -> model.connections.size() == 1);
    ModelConnection earlier = model.connections.get(0);
    earlier.end("lost");
    goOn(model, () -> model.connections.size() == 2);
    reportAll(model, earlier);
    assertThat(model.link.outbox.phase()).isEqualTo(Phase.CONNECTING);
    goOn(model, () -> model.link.outbox.phase() == Phase.OPEN);
    reportAll(model, earlier);
    assertThat(model.link.outbox.phase()).isEqualTo(Phase.OPEN);
    assertThat(model.link.outbox.present()).isNull();
    goOn(model, () -> model.link.outbox.present() != null);
    assertThat(model.link.link.connection()).isSameAs(model.connections.get(1));
    assertThat(model.ended).isZero();
  }

  private static void reportAll(LinkModel model, ModelConnection of) {
    LinkLoop link = model.link.link;
    link.opened(of);
    link.headerWritten(of, of);
    link.received(of, new IllegalStateException("model"));
    link.lost(of, null);
    goOn(model, link.events::isEmpty);
  }

  private static void goOn(LinkModel model, BooleanSupplier end) {
    while (!end.getAsBoolean()) {
      model.take(model.steps().keySet().iterator().next());
    }
  }

  private static List<String> with(List<String> path, String step) {
    List<String> longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  private static void check(
      LinkModel model, List<String> path, String state, Map<String, Runnable> steps) {
    String after = String.join("\n", path) + "\n" + state;
    Lease lease = model.link.outbox.present();
    if (lease != null) {
      assertThat(model.link.outbox.phase()).as("open: %s", after).isEqualTo(Phase.OPEN);
      assertThat(lease.connection()).as("same: %s", after).isSameAs(model.link.link.connection());
      ModelConnection connection = (ModelConnection) lease.connection();
      assertThat(connection.isReady() || connection.isOver()).as("header: %s", after).isTrue();
    }
    Map<Integer, Integer> last = new HashMap<>();
    int whole = 0;
    for (ModelConnection connection : model.connections) {
      whole += frames(connection.socket, last, after);
    }
    if (steps.keySet().stream().allMatch(step -> step.startsWith("may"))) {
      quiet(model, whole, after);
    }
  }

  /** Nothing happens any more by itself. */
  private static void quiet(LinkModel model, int whole, String after) {
    Room room = model.link.parkIfFull(() -> {});
    Phase phase = model.link.outbox.phase();
    assertThat(phase).as("settled: %s", after).isNotIn(Phase.CONNECTING, Phase.PAUSING);
    assertThat(room)
        .as("room: %s", after)
        .isEqualTo(phase == Phase.CLOSED ? Room.CLOSED : Room.FREE);
    assertThat(model.isParked()).as("woken: %s", after).isFalse();
    assertThat(model.buffers.inUse()).as("given back: %s", after).isZero();
    long dropped = model.counters.dropped.sum();
    assertThat(model.counters.messages.sum() + dropped)
        .as("counted: %s", after)
        .isEqualTo(model.handedOver);
    assertThat(whole + dropped).as("none lost silently: %s", after).isEqualTo(model.handedOver);
    boolean closed = phase == Phase.CLOSED;
    assertThat(model.ended)
        .as("owner told: %s", after)
        .isBetween(closed && !model.isStopped() ? 1 : 0, closed ? 1 : 0);
    if (closed) {
      assertThat(model.connections).as("ended: %s", after).allMatch(ModelConnection::isOver);
    }
  }

  /** Only whole frames, each sender's in its order; half of one is the last that a socket gets. */
  private static int frames(List<Byte> bytes, Map<Integer, Integer> last, String after) {
    int whole = bytes.size() / LinkModel.FRAME_BYTES;
    for (int i = 0; i < whole; i++) {
      List<Byte> frame = bytes.subList(i * LinkModel.FRAME_BYTES, (i + 1) * LinkModel.FRAME_BYTES);
      assertThat(frame.subList(0, 4)).as("not torn: %s", after).containsExactly(LENGTH);
      int sender = frame.get(4);
      int number = frame.get(5);
      assertThat(number).as("in order: %s", after).isGreaterThan(last.getOrDefault(sender, 0));
      last.put(sender, number);
    }
    return whole;
  }

  private static final Byte[] LENGTH = {2, 0, 0, 0};
}
