// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Trace;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BufferHooksTest {
  @Test
  void message_fromABuffer_saysHowLongItWasThereAndGoesOnInItsTrace() {
    ThreadState s = ThreadState.currentOrNew();
    Trace trace = new Trace(1, 2, true, null);
    Woven.Callback node = new Woven.Callback();
    s.enter(trace, 7);
    BufferHooks.kept(node);
    s.leave(s.at);
    Frame sending = Objects.requireNonNull(BufferHooks.sending(node));
    Woven.Envelope sent = Woven.Envelope.sent();
    Woven.Callback other = new Woven.Callback();
    ContextHooks.register(other);
    ContextHooks.ran(sending);
    Trace carried = Objects.requireNonNull(sent.deimos$trace());
    assertThat(carried.waited).isPositive();
    assertThat(carried.lo()).isEqualTo(2);
    assertThat(sent.deimos$parent()).isEqualTo(7);
    assertThat(carried.unstashed().isMarked()).isFalse();
    assertThat(Objects.requireNonNull(other.deimos$trace()).isMarked())
        .as("what else is done meanwhile has not waited")
        .isFalse();
  }

  @Test
  void message_fromTwoBuffers_hasWaitedInBoth() {
    ThreadState s = ThreadState.currentOrNew();
    Woven.Callback node = new Woven.Callback();
    s.enter(new Trace(1, 2, true, null).waitedFor(1_000_000_000), 7);
    BufferHooks.kept(node);
    s.leave(s.at);
    Frame sending = Objects.requireNonNull(BufferHooks.sending(node));
    Woven.Envelope sent = Woven.Envelope.sent();
    ContextHooks.ran(sending);
    assertThat(Objects.requireNonNull(sent.deimos$trace()).waited).isGreaterThan(1_000_000_000);
  }

  @Test
  void message_withoutASampledTrace_isPassedOnAsItWas() {
    ThreadState s = ThreadState.currentOrNew();
    Woven.Callback node = new Woven.Callback();
    s.enter(Trace.UNSAMPLED, 0);
    BufferHooks.kept(node);
    s.leave(s.at);
    assertThat(Objects.requireNonNull(node.deimos$trace()).isMarked()).isFalse();
  }

  @Test
  void entity_madeLaterThanAskedFor_isMadeInTheContextOfTheFirstMessageThatWaits() {
    ThreadState s = ThreadState.currentOrNew();
    Woven.Callback buffer = new Woven.Callback();
    s.enter(new Trace(1, 2, true, null), 7);
    BufferHooks.keptFirst(buffer);
    s.leave(s.at);
    s.enter(new Trace(3, 4, true, null), 8);
    Frame making = Objects.requireNonNull(BufferHooks.making(buffer));
    Woven.Envelope sent = Woven.Envelope.sent();
    ContextHooks.ran(making);
    assertThat(Objects.requireNonNull(sent.deimos$trace()).lo()).isEqualTo(2);
    assertThat(sent.deimos$parent()).isEqualTo(7);
    assertThat(s.spanId()).isEqualTo(8);
    s.leave(s.at);
  }

  @Test
  void entity_forWhichNoMessageWaits_isMadeInTheContextThatIsThere() {
    ThreadState s = ThreadState.currentOrNew();
    s.enter(new Trace(1, 2, true, null), 7);
    assertThat(BufferHooks.making(new Woven.Callback())).isNull();
    s.leave(s.at);
  }
}
