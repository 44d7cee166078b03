// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.trace.Trace;
import org.junit.jupiter.api.Test;

/** Bodies on their way, and the stream's actor that sends or receives them. */
class BodyHooksTest {
  private static final Trace ONE = new Trace(1, 1, true, null);
  private static final Trace TWO = new Trace(2, 2, true, null);

  private final Woven.Callback body = new Woven.Callback();

  private static StreamContext current() {
    return StreamContext.current();
  }

  private static void inNone(Runnable body) {
    Woven.in(null, 0, body);
  }

  @Test
  void sent_fromNoContext_goesOnInItsOwnOnce() {
    Woven.in(ONE, 11, () -> BodyHooks.made(BodyHooks.CHUNKED, body));
    inNone(
        () -> {
          BodyHooks.sent(BodyHooks.RESPONSE, body);
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
        });
    inNone(
        () -> {
          BodyHooks.sent(BodyHooks.RESPONSE, body);
          assertThat(current()).isEqualTo(StreamContext.NONE);
        });
  }

  @Test
  void sent_fromAContext_staysThere() {
    Woven.in(ONE, 11, () -> BodyHooks.made(BodyHooks.CHUNKED, body));
    Woven.in(
        TWO,
        22,
        () -> {
          BodyHooks.sent(BodyHooks.RESPONSE, body);
          assertThat(current()).isEqualTo(new StreamContext(TWO, 22));
        });
  }

  @Test
  void copied_inNoContext_hasThatOfTheFirst() {
    Woven.Callback copy = new Woven.Callback();
    Woven.in(ONE, 11, () -> BodyHooks.made(BodyHooks.OF_LENGTH, body));
    BodyHooks.copied(body, copy);
    assertThat(copy.deimos$trace()).isSameAs(ONE);
    assertThat(copy.deimos$parent()).isEqualTo(11);
  }

  @Test
  void told_aPartOfABody_goesOnInTheReadersContext() {
    Woven.Callback logic = new Woven.Callback();
    Woven.in(ONE, 11, () -> StreamHooks.made(logic, true));
    Woven.in(
        TWO,
        22,
        () -> {
          BodyHooks.told(logic, "another source");
          assertThat(current()).isEqualTo(new StreamContext(TWO, 22));
          BodyHooks.told(logic, "EntitySource");
          assertThat(current()).isEqualTo(new StreamContext(ONE, 11));
        });
  }
}
