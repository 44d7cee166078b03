// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.trace.Trace;
import org.junit.jupiter.api.Test;

/** The steps of a stream's actor in one message, in a context of its own. */
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
          StreamHooks.keep(StreamHooks.PUSHING, null);
          StreamHooks.goOn(StreamHooks.PUSH, null);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
        });
  }

  @Test
  void take_fromABuffer_givesEachElementItsContext() {
    Woven.Ref buffer = new Woven.Ref();
    Woven.in(ONE, 11, () -> StreamHooks.put(StreamHooks.BUFFER_IN, buffer, 7, 2));
    Woven.in(TWO, 22, () -> StreamHooks.put(StreamHooks.BUFFER_IN, buffer, 8, 2));
    Woven.in(
        new Trace(3, 3, true, null),
        33,
        () -> {
          StreamHooks.take(StreamHooks.BUFFER_OUT, buffer, 7, 2);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
          StreamHooks.take(StreamHooks.BUFFER_OUT, buffer, 8, 2);
          assertThat(current()).isEqualTo(new StreamContext(TWO, 22));
        });
    assertThat(current()).as("behind the message").isEqualTo(StreamContext.NONE);
  }

  @Test
  void take_ofAnElementWithoutContext_leavesNoneOfTheOneBefore() {
    Woven.Ref buffer = new Woven.Ref();
    StreamHooks.put(StreamHooks.BUFFER_IN, buffer, 0, 2);
    Woven.in(ONE, 11, () -> StreamHooks.put(StreamHooks.BUFFER_IN, buffer, 1, 2));
    Woven.in(
        TWO,
        22,
        () -> {
          StreamHooks.take(StreamHooks.BUFFER_OUT, buffer, 0, 2);
          assertThat(current()).isEqualTo(StreamContext.NONE);
          StreamHooks.take(StreamHooks.BUFFER_OUT, buffer, 1, 2);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
        });
  }

  @Test
  void goOn_afterKeepWithoutContext_forgetsTheOneKeptBefore() {
    Woven.Callback connection = new Woven.Callback();
    Woven.in(ONE, 11, () -> StreamHooks.keep(StreamHooks.PUSHING, connection));
    StreamHooks.keep(StreamHooks.PUSHING, connection);
    Woven.in(
        TWO,
        22,
        () -> {
          StreamHooks.goOn(StreamHooks.PUSH, connection);
          assertThat(current()).isEqualTo(StreamContext.NONE);
        });
  }

  @Test
  void arrives_elementOfAConnection_isGoneFromIt() {
    Woven.Callback connection = new Woven.Callback();
    Woven.in(ONE, 11, () -> StreamHooks.keep(StreamHooks.PUSHING, connection));
    Woven.in(
        TWO,
        22,
        () -> {
          StreamHooks.arrives(StreamHooks.PUSH, connection, connection);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
        });
    assertThat(connection.deimos$trace()).isNull();
  }

  @Test
  void arrives_demandAtASource_leavesTheSourceItsOwnContext() {
    Woven.Callback source = new Woven.Callback();
    Woven.Callback connection = new Woven.Callback();
    Woven.in(ONE, 11, () -> StreamHooks.made(source, true));
    Woven.in(
        TWO,
        22,
        () -> {
          StreamHooks.keep(StreamHooks.PULLING, connection);
          StreamHooks.arrives(StreamHooks.PULL, source, connection);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
        });
    assertThat(connection.deimos$trace()).isNull();
    assertThat(source.deimos$trace()).isEqualTo(ONE);
  }

  @Test
  void goOn_source_worksInTheContextInWhichItWasMade() {
    Woven.Callback source = new Woven.Callback();
    Woven.in(ONE, 11, () -> StreamHooks.made(source, true));
    Woven.in(
        TWO,
        22,
        () -> {
          StreamHooks.goOn(StreamHooks.PULL, source);
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
    Woven.in(ONE, 11, () -> StreamHooks.append(StreamHooks.SINK_IN, queue));
    Woven.in(TWO, 22, () -> StreamHooks.append(StreamHooks.SINK_IN, queue));
    Woven.in(
        TWO,
        33,
        () -> {
          StreamHooks.takeFirst(StreamHooks.SINK_OUT, queue);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
        });
  }
}
