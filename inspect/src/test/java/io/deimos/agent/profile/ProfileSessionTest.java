// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.profile.ProfileQuery.Kind;
import io.deimos.agent.profile.ProfileQuery.Time;
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
  private static final ProfileQuery ALL = new ProfileQuery(60, Kind.MESSAGE, "", "", 0, Time.CPU);

  private static final FakeSource SOURCE = new FakeSource(null);

  private final ProfileSession session = new ProfileSession(60_000_000_000L);
  private final ProfileSession hasty = new ProfileSession(0);
  private final ActorTelemetry payments = Records.actor("pekko://p/user/p", "test.Payments");
  private final ActorTelemetry carts = Records.actor("pekko://p/user/c", "test.Carts");
  private final long now = Clock.now();

  private static void clocksAgree(ProfileSession of) {
    of.clocks(Clock.epochNanos(1_000_000_001L), 1_000_000_001L);
  }

  private static void sample(ProfileSession to, long thread, long time, String... stack) {
    to.seen(Seen.running(thread, Clock.epochNanos(time)), List.of(stack), false);
  }

  private static ProfileResult result(ProfileSession of) {
    of.join();
    return ProfileResult.of(of, SOURCE, ALL);
  }

  private static Line line(Kind kind, String actor, String message, long samples) {
    return new Line(kind, actor, message, "", samples, ProfileTimes.NONE);
  }

  /** Without their times. */
  private static List<Line> lines(ProfileResult of) {
    return of.lines().stream()
        .map(
            one ->
                new Line(
                    one.kind(),
                    one.actorClass(),
                    one.messageClass(),
                    one.part(),
                    one.samples(),
                    ProfileTimes.NONE))
        .toList();
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
    assertThat(lines(result))
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
    assertThat(lines(result(session)))
        .containsExactly(line(Kind.MESSAGE, "test.Carts", "inner", 1));
  }

  @Test
  void join_clockThatIsAhead_isSetRight() {
    long ahead = 3_000_000_000L;
    session.clocks(Clock.epochNanos(now) + ahead + 5 * MILLI, now); // was held between both reads
    session.clocks(Clock.epochNanos(now) + ahead, now);
    session.records.add(1, now, 2 * MILLI, session.rows.of(carts.kind(), "m"), 0);
    sample(session, 1, now + MILLI + ahead, "a.b", INVOKE);
    assertThat(lines(result(session))).containsExactly(line(Kind.MESSAGE, "test.Carts", "m", 1));
  }

  @Test
  void join_recordThatComesLater_isWaitedFor() {
    clocksAgree(session);
    sample(session, 1, now + MILLI, "a.b", INVOKE);
    assertThat(result(session).samples()).isZero();
    session.records.add(1, now, 2 * MILLI, session.rows.of(carts.kind(), "m"), 0);
    assertThat(lines(result(session))).containsExactly(line(Kind.MESSAGE, "test.Carts", "m", 1));
  }

  @Test
  void join_noRecordAtAll_isUnrecordedAndNearbyOneIsCountedAsSuch() {
    clocksAgree(hasty);
    hasty.records.add(1, now, 1000, hasty.rows.of(carts.kind(), "m"), 0);
    sample(hasty, 1, now + 50_000, "a.b", INVOKE);
    sample(hasty, 2, now, "a.b", INVOKE);
    ProfileResult result = result(hasty);
    assertThat(lines(result))
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
    assertThat(lines(result(session)))
        .containsExactly(
            new Line(Kind.PEKKO, tcp, "", "TCP and DNS", 2, ProfileTimes.NONE),
            new Line(Kind.PEKKO, interpreter, "", "HTTP", 1, ProfileTimes.NONE),
            new Line(Kind.PEKKO, interpreter, "", "streams", 1, ProfileTimes.NONE));
    ProfileQuery ofTcp = new ProfileQuery(60, Kind.PEKKO, "TcpConnection", "", 0, Time.CPU);
    assertThat(ProfileResult.of(session, SOURCE, ofTcp).tree().total(0)).isEqualTo(2);
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
    assertThat(lines(result(hasty))).containsExactly(line(Kind.UNRECORDED, "", "", 1));
  }

  @Test
  void join_outsideOfMessages_isOfADispatcherOrOfOthers() {
    clocksAgree(session);
    ThreadState.currentOrNew().lane();
    session.records.add(9, now, MILLI, session.rows.of(carts.kind(), "m"), 0);
    sample(session, 9, now, "java.lang.Thread.onSpinWait");
    sample(session, Thread.currentThread().getId(), now, "pekko.Mailbox.run");
    ProfileResult result = result(session);
    assertThat(lines(result))
        .containsExactlyInAnyOrder(line(Kind.DISPATCHER, "", "", 1), line(Kind.OTHER, "", "", 1));
    assertThat(result.tree().total(0)).as("no message").isZero();
    assertThat(
            ProfileResult.of(session, SOURCE, new ProfileQuery(60, Kind.OTHER, "", "", 0, Time.CPU))
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
      ProfileQuery query = new ProfileQuery(60, Kind.MESSAGE, "Carts", message, 0, Time.CPU);
      assertThat(ProfileResult.of(session, SOURCE, query).tree().total(0)).as(message).isEqualTo(1);
    }
    ProfileQuery none = new ProfileQuery(60, Kind.MESSAGE, "Cart", "ook", 0, Time.CPU);
    assertThat(ProfileResult.of(session, SOURCE, none).tree().total(0)).isZero();
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
        ProfileResult.of(
            session, SOURCE, new ProfileQuery(60, Kind.MESSAGE, "", "", 0x5eed, Time.CPU));
    assertThat(result.samples()).isEqualTo(2);
    assertThat(lines(result)).containsExactly(line(Kind.MESSAGE, "test.Carts", "test.Look", 2));
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
    assertThat(ProfileResult.of(hasty, SOURCE, ALL).samples()).isEqualTo(65_536);
  }

  private static void seen(
      ProfileSession to,
      Part part,
      long thread,
      long end,
      long weight,
      String on,
      String... stack) {
    to.seen(
        new Seen(part, thread, Clock.epochNanos(end), weight, on, 0, ""), List.of(stack), false);
  }

  /** Times in the session's past, as all that has happened. */
  private void await(long time) {
    while (Clock.now() <= time) {
      Thread.onSpinWait();
    }
  }

  @Test
  void join_waitsAndPauses_divideTheTimeOfAMessage() {
    clocksAgree(hasty);
    int charge = hasty.rows.of(payments.kind(), "test.Charge");
    hasty.records.add(1, now, 100 * MILLI, charge, 0);
    hasty.records.add(2, now, 90 * MILLI, hasty.rows.of(carts.kind(), "test.Look"), 0);
    hasty.seen(
        new Seen(
            Part.LOCK,
            1,
            Clock.epochNanos(now + 70 * MILLI),
            60 * MILLI,
            "lock of test.Purse",
            2,
            "worker-2"),
        List.of("test.Payments.receive", INVOKE),
        false);
    sample(hasty, 1, now + 2 * MILLI, "a.b", INVOKE);
    hasty.paused(Clock.epochNanos(now + 80 * MILLI), Clock.epochNanos(now + 85 * MILLI));
    seen(hasty, Part.ALLOCATION, 1, now + MILLI, 512, "byte[]", "a.b", INVOKE);
    await(now + 101 * MILLI);
    ProfileTimes times = line(result(hasty), "test.Charge").times();
    assertThat(times.wallNanos()).isEqualTo(100 * MILLI);
    assertThat(times.waits()).isEqualTo(new ProfileTimes.Waits(60 * MILLI, 0, 0, 0));
    assertThat(times.cpuNanos()).isEqualTo(10 * MILLI);
    assertThat(times.gcNanos()).isEqualTo(5 * MILLI);
    assertThat(times.restNanos()).isEqualTo(25 * MILLI);
    assertThat(times.allocatedBytes()).isEqualTo(512);
    assertThat(times.causes())
        .containsExactly(
            new ProfileTimes.Cause(
                Time.LOCK, "lock of test.Purse, held by test.Carts with test.Look", 60 * MILLI));
    FlameTree tree =
        ProfileResult.of(hasty, SOURCE, new ProfileQuery(60, Kind.MESSAGE, "", "", 0, Time.LOCK))
            .tree();
    assertThat(tree.total(0)).isEqualTo(60 * MILLI);
    assertThat(tree.frames())
        .endsWith("test.Payments.receive", "lock of test.Purse, held by test.Carts with test.Look");
  }

  private static Line line(ProfileResult of, String message) {
    return of.lines().stream()
        .filter(one -> one.messageClass().equals(message))
        .findFirst()
        .orElseThrow();
  }

  /** A thread that sleeps anyway is not held up. */
  @Test
  void join_collectorDuringASleep_countsAsSleep() {
    clocksAgree(hasty);
    hasty.records.add(1, now, 10 * MILLI, hasty.rows.of(carts.kind(), "m"), 0);
    seen(hasty, Part.SLEEP, 1, now + 10 * MILLI, 10 * MILLI, "sleep", "a.b", INVOKE);
    hasty.paused(Clock.epochNanos(now + MILLI), Clock.epochNanos(now + 6 * MILLI));
    await(now + 11 * MILLI);
    ProfileTimes times = line(result(hasty), "m").times();
    assertThat(times.wallNanos()).isEqualTo(10 * MILLI);
    assertThat(times.waits().sleepNanos()).isEqualTo(10 * MILLI);
    assertThat(times.gcNanos()).isZero();
  }

  /** Each second each record counts once, and a short one for those that met no line. */
  @Test
  void join_again_addsNoRecordTwiceAndShortOnesStandForOthers() {
    clocksAgree(hasty);
    int row = hasty.rows.of(carts.kind(), "m");
    hasty.records.add(1, now, 1000, row, 0);
    hasty.records.add(1, now + MILLI, 3 * MILLI, row, 0);
    await(now + 5 * MILLI);
    hasty.join();
    hasty.records.add(1, now + 4 * MILLI, MILLI / 2, row, 0);
    assertThat(line(result(hasty), "m").times().wallNanos())
        .isEqualTo(hasty.records.gridNanos() + 3 * MILLI + MILLI / 2);
  }

  @Test
  void seen_waitOutsideOfMessages_isLeftOut() {
    clocksAgree(hasty);
    seen(hasty, Part.PARK, 9999, now, MILLI, "parked for x.Pool", "java.lang.Thread.run");
    assertThat(result(hasty).lines()).isEmpty();
    seen(hasty, Part.ALLOCATION, 9999, now, 512, "byte[]", "java.lang.Thread.run");
    assertThat(result(hasty).lines()).extracting(Line::kind).containsExactly(Kind.OTHER);
  }

  @Test
  void join_manyDifferentWaits_staysWithinBounds() {
    clocksAgree(hasty);
    for (int round = 0; round < 40; round++) {
      int row = hasty.rows.of(carts.kind(), "m" + round);
      for (int i = 0; i < 4000; i++) {
        hasty.records.add(1, now, MILLI, row, 0);
        seen(hasty, Part.IO, 1, now + MILLI, MILLI, "read /tmp/" + round * 4000 + i, "a.b", INVOKE);
        hasty.paused(now, now + 1);
        hasty.leftOut();
      }
      hasty.join();
    }
    assertThat(hasty.bytes()).isLessThan(21 << 20);
    assertThat(hasty.unknown().waitsLeftOut()).isEqualTo(160_000);
  }
}
