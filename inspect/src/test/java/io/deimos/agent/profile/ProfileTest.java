// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.agent.profile.ProfileQuery.Kind;
import io.deimos.recorder.housekeeping.Drainer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProfileTest {
  private static final ProfileQuery ALL =
      new ProfileQuery(60, Kind.MESSAGE, "", "", 0, ProfileQuery.Time.CPU);

  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final Drainer drainer = new Drainer(span -> {});

  @BeforeEach
  void start() {
    drainer.start();
  }

  @AfterEach
  void stop() {
    drainer.close();
  }

  @Test
  void ask_whileNobodyElseDoes_turnsItOnForAWhile() throws Exception {
    FakeSource source = new FakeSource(null);
    Profile profile = source.profile(problems::add, 0);
    assertThat(profile.isOn()).isFalse();
    assertThat(profile.ask(ALL).event()).as("it is starting").isEmpty();
    assertThat(source.awaitOpened()).isTrue();
    assertThat(source.awaitClosed()).isTrue();
    assertThat(profile.isOn()).isFalse();
    assertThat(problems).isEmpty();
  }

  @Test
  void keep_on_staysOnUntilItIsOff() throws Exception {
    FakeSource source = new FakeSource(null);
    Profile profile = source.profile(problems::add, 0);
    profile.keep(true);
    assertThat(source.awaitOpened()).isTrue();
    profile.keep(true);
    assertThat(profile.isOn()).isTrue();
    profile.keep(false);
    assertThat(source.awaitClosed()).isTrue();
  }

  @Test
  void ask_noFlightRecorder_saysWhy() throws Exception {
    FakeSource source = new FakeSource("this Java runtime has no module jdk.jfr");
    Profile profile = source.profile(problems::add, 60);
    profile.keep(true);
    assertThat(source.awaitOpened()).isTrue();
    while (profile.isOn()) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThatThrownBy(() -> profile.ask(ALL))
        .isInstanceOfSatisfying(
            Profile.UnavailableException.class,
            e -> assertThat(e.why()).contains("no module jdk.jfr"));
    assertThat(problems)
        .containsExactly(
            "there is no profile (deimos.profile.enabled): this Java runtime has no module"
                + " jdk.jfr");
  }

  @Test
  void ask_noRecords_saysWhy() {
    drainer.close();
    Profile profile = new FakeSource(null).profile(problems::add, 60);
    assertThatThrownBy(() -> profile.ask(ALL))
        .isInstanceOfSatisfying(
            Profile.UnavailableException.class,
            e -> assertThat(e.why()).contains("deimos.tracing.enabled"));
    assertThat(profile.isOn()).isFalse();
  }

  /** This JVM's own. */
  @Test
  void ask_flightRecorder_hasSamplesOfAThreadThatSpins() throws Exception {
    Profile profile = new Profile(problems::add, () -> FakeSource.LIMITS);
    ProfileQuery other = new ProfileQuery(60, Kind.OTHER, "", "", 0, ProfileQuery.Time.CPU);
    AtomicBoolean found = new AtomicBoolean();
    Thread spinning = new Thread(() -> spin(found), "spins");
    spinning.start();
    long until = System.nanoTime() + 120_000_000_000L;
    while (!found.get() && System.nanoTime() < until) {
      LockSupport.parkNanos(100_000_000);
      String frame = ProfileTest.class.getName() + ".spin";
      found.set(profile.ask(other).tree().frames().contains(frame));
    }
    boolean seen = found.getAndSet(true);
    spinning.join();
    assertThat(seen).as("a sample of the method that spins").isTrue();
    assertThat(profile.ask(other).event()).startsWith("jdk.");
  }

  /** Threads that wait all the time for a millisecond are more than may be read. */
  @Test
  void limit_moreWaitsThanItAllows_areCountedAndHaveToBeLonger() throws Exception {
    Profile profile = new Profile(problems::add, () -> new ProfileLimits(1_000_000, 10, 0));
    AtomicBoolean found = new AtomicBoolean();
    Thread waiting = new Thread(() -> parkAgainAndAgain(found), "waits");
    waiting.start();
    long until = System.nanoTime() + 120_000_000_000L;
    ProfileResult result = profile.ask(ALL);
    while (System.nanoTime() < until
        && (result.waitNanos() <= 1_000_000 || result.unknown().waitsLeftOut() == 0)) {
      LockSupport.parkNanos(100_000_000);
      result = profile.ask(ALL);
    }
    found.set(true);
    waiting.join();
    assertThat(result.waitNanos()).isGreaterThan(1_000_000);
    assertThat(result.unknown().waitsLeftOut()).isPositive();
  }

  private static void parkAgainAndAgain(AtomicBoolean isOver) {
    while (!isOver.get()) {
      LockSupport.parkNanos(1_100_000);
    }
  }

  private static void spin(AtomicBoolean isOver) {
    while (!isOver.get()) {
      Thread.onSpinWait();
    }
  }
}
