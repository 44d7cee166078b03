// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.profile.ProfileQuery.Kind;
import io.deimos.agent.profile.ProfileResult.Line;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.ring.Records;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfileSessionTest {
  private static final long MILLI = 1_000_000;
  private static final String INVOKE = "org.apache.pekko.actor.ActorCell.invoke";
  private static final ProfileQuery ALL = new ProfileQuery(60, Kind.MESSAGE, "", "", 0);

  private final ProfileSession session = new ProfileSession(60_000_000_000L);
  private final ProfileSession hasty = new ProfileSession(0);
  private final ActorTelemetry payments = Records.actor("pekko://p/user/p", "test.Payments");
  private final ActorTelemetry carts = Records.actor("pekko://p/user/c", "test.Carts");
  private final long now = Clock.now();

  private static void clocksAgree(ProfileSession of) {
    of.clocks(Clock.epochNanos(1_000_000_001L), 1_000_000_001L);
  }

  private static void sample(ProfileSession to, long thread, long time, String... stack) {
    to.sample(thread, Clock.epochNanos(time), List.of(stack), false);
  }

  private static ProfileResult result(ProfileSession of) {
    of.join();
    return ProfileResult.of(of, "test", ALL);
  }

  private static Line line(Kind kind, String actor, String message, long samples) {
    return new Line(kind, actor, message, "", samples);
  }

  @Test
  void join_sampleWithinARecord_countsToItsRow() {
    clocksAgree(session);
    int charge = session.rows.of(payments.kind(), "test.Charge");
    int look = session.rows.of(carts.kind(), "test.Look");
    session.records.add(1, now, 10 * MILLI, charge, 0);
    session.records.add(1, now + 10 * MILLI, MILLI, look, 0);
    session.records.add(2, now, 10 * MILLI, look, 0);
    sample(session, 1, now + 2 * MILLI, "bank.Crypt.hash", "test.Payments.receive", INVOKE, "x.y");
    sample(session, 1, now + 4 * MILLI, "bank.Crypt.hash", "test.Payments.receive", INVOKE, "x.y");
    sample(session, 2, now + 4 * MILLI, "test.Carts.receive", INVOKE);
    ProfileResult result = result(session);
    assertThat(result.samples()).isEqualTo(3);
    assertThat(result.lines())
        .containsExactly(
            line(Kind.MESSAGE, "test.Payments", "test.Charge", 2),
            line(Kind.MESSAGE, "test.Carts", "test.Look", 1));
    FlameTree tree = result.tree();
    assertThat(tree.total(0)).isEqualTo(3);
    int hash = tree.frames().indexOf("bank.Crypt.hash");
    int node = 0;
    while (tree.frame(node) != hash) {
      node++;
    }
    assertThat(tree.self(node)).isEqualTo(2);
    assertThat(tree.stack(node))
        .extracting(tree.frames()::get)
        .containsExactly(
            "test.Payments", "test.Charge", "test.Payments.receive", "bank.Crypt.hash");
  }

  @Test
  void join_messageInsideAMessage_countsToTheInner() {
    clocksAgree(session);
    session.records.add(1, now + MILLI, MILLI, session.rows.of(carts.kind(), "inner"), 0);
    session.records.add(1, now, 10 * MILLI, session.rows.of(payments.kind(), "outer"), 0);
    sample(session, 1, now + MILLI + 1000, "a.b", INVOKE);
    assertThat(result(session).lines())
        .containsExactly(line(Kind.MESSAGE, "test.Carts", "inner", 1));
  }

  @Test
  void join_clockThatIsAhead_isSetRight() {
    long ahead = 3_000_000_000L;
    session.clocks(Clock.epochNanos(now) + ahead + 5 * MILLI, now); // was held between both reads
    session.clocks(Clock.epochNanos(now) + ahead, now);
    session.records.add(1, now, 2 * MILLI, session.rows.of(carts.kind(), "m"), 0);
    sample(session, 1, now + MILLI + ahead, "a.b", INVOKE);
    assertThat(result(session).lines()).containsExactly(line(Kind.MESSAGE, "test.Carts", "m", 1));
  }

  @Test
  void join_recordThatComesLater_isWaitedFor() {
    clocksAgree(session);
    sample(session, 1, now + MILLI, "a.b", INVOKE);
    assertThat(result(session).samples()).isZero();
    session.records.add(1, now, 2 * MILLI, session.rows.of(carts.kind(), "m"), 0);
    assertThat(result(session).lines()).containsExactly(line(Kind.MESSAGE, "test.Carts", "m", 1));
  }

  @Test
  void join_noRecordAtAll_isUnrecordedAndNearbyOneIsCountedAsSuch() {
    clocksAgree(hasty);
    hasty.records.add(1, now, 1000, hasty.rows.of(carts.kind(), "m"), 0);
    sample(hasty, 1, now + 50_000, "a.b", INVOKE);
    sample(hasty, 2, now, "a.b", INVOKE);
    ProfileResult result = result(hasty);
    assertThat(result.lines())
        .containsExactlyInAnyOrder(
            line(Kind.MESSAGE, "test.Carts", "m", 1), line(Kind.UNRECORDED, "", "", 1));
    assertThat(result.unknown().nearest()).isEqualTo(1);
  }

  /** Their messages have no records, so their stacks have to say whose they are. */
  @Test
  void join_pekkosOwnActors_areToldByClassAndPart() {
    String interpreter = "org.apache.pekko.stream.impl.fusing.ActorGraphInterpreter";
    String tcp = "org.apache.pekko.io.TcpConnection";
    clocksAgree(session);
    sample(session, 1, now, "shop.Prices.map", interpreter + ".aroundReceive", INVOKE);
    sample(
        session,
        1,
        now,
        "org.apache.pekko.http.impl.engine.parsing.HttpMessageParser.parse",
        interpreter + ".processEvent",
        interpreter + ".aroundReceive",
        INVOKE);
    sample(session, 2, now, "sun.nio.ch.Write.write", tcp + ".aroundReceive", INVOKE);
    sample(session, 2, now, "sun.nio.ch.Write.write", tcp + ".aroundReceive", INVOKE);
    assertThat(result(session).lines())
        .containsExactly(
            new Line(Kind.PEKKO, tcp, "", "TCP and DNS", 2),
            new Line(Kind.PEKKO, interpreter, "", "HTTP", 1),
            new Line(Kind.PEKKO, interpreter, "", "streams", 1));
    ProfileQuery ofTcp = new ProfileQuery(60, Kind.PEKKO, "TcpConnection", "", 0);
    assertThat(ProfileResult.of(session, "test", ofTcp).tree().total(0)).isEqualTo(2);
  }

  /** An application's actor is one of Pekko's classes by inheritance. */
  @Test
  void join_actorOfTheApplicationWithoutARecord_isNoneOfPekkos() {
    clocksAgree(hasty);
    sample(
        hasty,
        1,
        now,
        "org.apache.pekko.stream.javadsl.Source.single",
        "shop.Cart.receive",
        "org.apache.pekko.actor.AbstractActor.aroundReceive",
        INVOKE);
    assertThat(result(hasty).lines()).containsExactly(line(Kind.UNRECORDED, "", "", 1));
  }

  @Test
  void join_outsideOfMessages_isOfADispatcherOrOfOthers() {
    clocksAgree(session);
    ThreadState.currentOrNew().lane();
    session.records.add(9, now, MILLI, session.rows.of(carts.kind(), "m"), 0);
    sample(session, 9, now, "java.lang.Thread.onSpinWait");
    sample(session, Thread.currentThread().getId(), now, "pekko.Mailbox.run");
    ProfileResult result = result(session);
    assertThat(result.lines())
        .containsExactlyInAnyOrder(line(Kind.DISPATCHER, "", "", 1), line(Kind.OTHER, "", "", 1));
    assertThat(result.tree().total(0)).as("no message").isZero();
    assertThat(
            ProfileResult.of(session, "test", new ProfileQuery(60, Kind.OTHER, "", "", 0))
                .tree()
                .frames())
        .containsExactly("java.lang.Thread.onSpinWait");
  }

  @Test
  void query_byClass_takesSimpleAndFullNames() {
    clocksAgree(session);
    session.records.add(1, now, MILLI, session.rows.of(carts.kind(), "test.Shop$Look"), 0);
    sample(session, 1, now + 1000, "a.b", INVOKE);
    session.join();
    for (String message : List.of("", "Look", "Shop$Look", "test.Shop$Look")) {
      ProfileQuery query = new ProfileQuery(60, Kind.MESSAGE, "Carts", message, 0);
      assertThat(ProfileResult.of(session, "test", query).tree().total(0)).as(message).isEqualTo(1);
    }
    ProfileQuery none = new ProfileQuery(60, Kind.MESSAGE, "Cart", "ook", 0);
    assertThat(ProfileResult.of(session, "test", none).tree().total(0)).isZero();
  }

  @Test
  void query_ofOneSpan_hasItsStacksAlone() {
    clocksAgree(session);
    int look = session.rows.of(carts.kind(), "test.Look");
    session.records.add(1, now, MILLI, look, 0x5eed);
    session.records.add(1, now + MILLI, MILLI, look, 0x0dd);
    sample(session, 1, now + 1000, "a.mine", INVOKE);
    sample(session, 1, now + MILLI + 1000, "a.other", INVOKE);
    session.join();
    ProfileResult result =
        ProfileResult.of(session, "test", new ProfileQuery(60, Kind.MESSAGE, "", "", 0x5eed));
    assertThat(result.samples()).isEqualTo(2);
    assertThat(result.lines()).containsExactly(line(Kind.MESSAGE, "test.Carts", "test.Look", 2));
    assertThat(result.tree().total(0)).isEqualTo(1);
    assertThat(result.tree().frames()).contains("a.mine").doesNotContain("a.other");
  }

  @Test
  void sample_noStackOrNoRoom_isCounted() {
    session.failed();
    for (int i = 0; i < 20_000; i++) {
      sample(session, 1, now, "a.b", INVOKE);
    }
    assertThat(session.unknown().withoutStack()).isEqualTo(1);
    assertThat(session.unknown().lost()).isEqualTo(20_000 - 16_384);
  }

  @Test
  void join_manyDifferentStacks_staysWithinBounds() {
    clocksAgree(hasty);
    for (int round = 0; round < 40; round++) {
      for (int i = 0; i < 4000; i++) {
        sample(
            hasty, 1, now + i, "c" + (i * 31 + round) % 5000, "b" + i % 100, "a" + i % 10, INVOKE);
      }
      hasty.join();
    }
    assertThat(hasty.bytes()).isLessThan(16 << 20);
    assertThat(ProfileResult.of(hasty, "test", ALL).samples()).isEqualTo(65_536);
  }
}
