// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.counts.OperationMetrics;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.spans.Rare;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The writes of one actor, on a thread of its own. */
class PersistenceHooksTest {
  private record Seen(long trace, long span, long parent, @Nullable Operation operation) {}

  private final ActorTelemetry cart =
      Actors.register("pekko://test/user/p", ActorKinds.of("test", "test.Persistent", false));

  private static List<Seen> onNewThread(Runnable body) {
    List<Seen> seen = new ArrayList<>();
    Woven.onNewThread(
        body,
        v -> {
          Rare rare = v.rare();
          seen.add(
              new Seen(
                  v.traceLo(), v.spanId(), v.parentId(), rare == null ? null : rare.operation()));
        });
    return seen;
  }

  private void process(Woven.Envelope envelope, Runnable body) {
    Frame s = Hooks.begin(cart, envelope, "message", null, null);
    try {
      body.run();
    } finally {
      Hooks.end(s);
    }
  }

  private static Woven.Envelope ask(Object write) {
    long token = PersistenceHooks.sending(PersistenceHooks.SEND);
    PersistenceHooks.writeSent(write);
    Woven.Envelope request = Woven.Envelope.sent();
    PersistenceHooks.sent(token);
    return request;
  }

  @Test
  void write_isASpanBetweenCommandAndHandler() {
    Woven.Envelope[] request = new Woven.Envelope[1];
    Object[] write = new Object[1];
    List<Seen> seen =
        onNewThread(
            () -> {
              process(
                  Woven.Envelope.sent(),
                  () -> {
                    write[0] = Objects.requireNonNull(PersistenceHooks.writeBegins(1));
                    request[0] = ask(write[0]);
                    assertThat(Probe.recordingSpan()).isEqualTo(Probe.currentSpan());
                  });
              process(
                  request[0],
                  () ->
                      PersistenceHooks.written(
                          PersistenceHooks.SUCCEEDED, write[0], "event", null));
            });
    assertThat(seen).hasSize(3);
    Seen command = seen.get(0);
    Seen persist = seen.get(1);
    Seen handler = seen.get(2);
    assertThat(persist.operation).isSameAs(write[0]);
    assertThat(persist.parent).isEqualTo(command.span);
    assertThat(handler.parent).isEqualTo(persist.span);
    assertThat(handler.trace).isEqualTo(command.trace);
  }

  @Test
  void writesOfTwoCommandsInOneRequest_handlersAreBelowTheirOwn() {
    Woven.Envelope[] request = new Woven.Envelope[1];
    List<Object> writes = new ArrayList<>();
    List<Seen> seen =
        onNewThread(
            () -> {
              for (int i = 0; i < 2; i++) {
                process(
                    Woven.Envelope.sent(),
                    () -> writes.add(Objects.requireNonNull(PersistenceHooks.writeBegins(1))));
              }
              process(Woven.Envelope.sent(), () -> request[0] = ask(writes.get(0)));
              for (Object write : writes) {
                process(
                    request[0],
                    () ->
                        PersistenceHooks.written(PersistenceHooks.SUCCEEDED, write, "event", null));
              }
            });
    Seen second = seen.get(1);
    Seen handlerOfSecond = seen.get(seen.size() - 1);
    assertThat(handlerOfSecond.trace).isEqualTo(second.trace);
    assertThat(handlerOfSecond.parent).isEqualTo(seen.get(seen.size() - 2).span);
  }

  @Test
  void recovery_ofAnActorThatStops_endsAsFailed() {
    List<Seen> seen =
        onNewThread(
            () -> {
              long token = PersistenceHooks.recovers(PersistenceHooks.PERMIT, cart);
              assertThat(Probe.isActive()).isTrue();
              PersistenceHooks.sent(token);
              assertThat(Probe.isActive()).isFalse();
              PersistenceHooks.stopped(cart);
              PersistenceHooks.stopped(cart);
            });
    assertThat(seen).singleElement().satisfies(s -> assertThat(s.parent).isZero());
    assertThat(OperationMetrics.series())
        .anyMatch(
            s ->
                s.key().actor() == cart.kind()
                    && s.key().error() != null
                    && s.key().error().endsWith("NotRecoveredException"));
  }
}
