// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.base.StreamHook;
import io.deimos.recorder.trace.Trace;
import org.junit.jupiter.api.Test;

/** What a stream's actor does in one message, in a context of its own. */
class StreamHooksTest {
  private static final Trace ONE = new Trace(1, 1, true, null);
  private static final Trace TWO = new Trace(2, 2, true, null);

  private static StreamContext current() {
    return StreamContext.current();
  }

  @Test
  void goOn_withoutWhatHasKept_changesNothing() {
    Woven.in(
        ONE,
        11,
        () -> {
          StreamHooks.keep(StreamHook.PUSHING, null);
          StreamHooks.goOn(StreamHook.PUSH, null);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
        });
  }

  @Test
  void take_fromABuffer_givesEachElementItsContext() {
    Woven.Ref buffer = new Woven.Ref();
    Woven.in(ONE, 11, () -> StreamHooks.put(StreamHook.BUFFER_IN, buffer, 7, 2));
    Woven.in(TWO, 22, () -> StreamHooks.put(StreamHook.BUFFER_IN, buffer, 8, 2));
    Woven.in(
        new Trace(3, 3, true, null),
        33,
        () -> {
          StreamHooks.take(StreamHook.BUFFER_OUT, buffer, 7, 2);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
          StreamHooks.take(StreamHook.BUFFER_OUT, buffer, 8, 2);
          assertThat(current()).isEqualTo(new StreamContext(TWO, 22));
        });
    assertThat(current()).as("behind the message").isEqualTo(StreamContext.NONE);
  }

  @Test
  void take_ofAnElementWithoutContext_leavesNoneOfTheOneBefore() {
    Woven.Ref buffer = new Woven.Ref();
    StreamHooks.put(StreamHook.BUFFER_IN, buffer, 0, 2);
    Woven.in(ONE, 11, () -> StreamHooks.put(StreamHook.BUFFER_IN, buffer, 1, 2));
    Woven.in(
        TWO,
        22,
        () -> {
          StreamHooks.take(StreamHook.BUFFER_OUT, buffer, 0, 2);
          assertThat(current()).isEqualTo(StreamContext.NONE);
          StreamHooks.take(StreamHook.BUFFER_OUT, buffer, 1, 2);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
        });
  }

  @Test
  void goOn_afterKeepWithoutContext_forgetsTheOneKeptBefore() {
    Woven.Callback connection = new Woven.Callback();
    Woven.in(ONE, 11, () -> StreamHooks.keep(StreamHook.PUSHING, connection));
    StreamHooks.keep(StreamHook.PUSHING, connection);
    Woven.in(
        TWO,
        22,
        () -> {
          StreamHooks.goOn(StreamHook.PUSH, connection);
          assertThat(current()).isEqualTo(StreamContext.NONE);
        });
  }

  @Test
  void goOn_source_worksInTheContextInWhichItWasMade() {
    Woven.Callback source = new Woven.Callback();
    Woven.in(ONE, 11, () -> StreamHooks.made(source, true));
    Woven.in(
        TWO,
        22,
        () -> {
          StreamHooks.goOn(StreamHook.PULL, source);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
        });
  }

  @Test
  void mayGive_elementThatHadToWait_goesOnInItsOwnContext() {
    Woven.Ref source = new Woven.Ref();
    Woven.in(
        ONE,
        11,
        () -> {
          StreamHooks.mayGive(source, true);
          StreamHooks.mayHaveGiven(source, true);
        });
    Woven.in(
        TWO,
        22,
        () -> {
          StreamHooks.mayGive(source, true);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
          StreamHooks.mayHaveGiven(source, false);
        });
    assertThat(source.deimos$identity()).isNull();
  }

  @Test
  void takeFirst_ofAQueue_isTheOldest() {
    Woven.Ref queue = new Woven.Ref();
    Woven.in(ONE, 11, () -> StreamHooks.append(StreamHook.SINK_IN, queue));
    Woven.in(TWO, 22, () -> StreamHooks.append(StreamHook.SINK_IN, queue));
    Woven.in(
        TWO,
        33,
        () -> {
          StreamHooks.takeFirst(StreamHook.SINK_OUT, queue);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
        });
  }
}
