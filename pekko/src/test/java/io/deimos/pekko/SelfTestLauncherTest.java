// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SelfTestLauncherTest {
  private final List<Object> tested = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch shown = new CountDownLatch(1);

  /** The first system ends while it is tested, and any other lasts. */
  private final SelfTestLauncher launcher =
      new SelfTestLauncher(
          problem -> {},
          system -> Set.of(),
          new QuietMoment(0),
          (system, hooks) ->
              s -> {
                tested.add(s);
                if (!s.equals("first")) {
                  shown.countDown();
                  return true;
                }
                begun.countDown();
                await(ended);
                return false;
              });

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(90, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void accept_systemThatStartsBeforeTheFirstIsGivenUp_isTestedAfterIt() {
    launcher.accept("first");
    await(begun);
    Object second = "second"; // kept, as a system that runs is
    launcher.accept(second);
    ended.countDown();
    await(shown);
    assertThat(tested).containsExactly("first", "second");
  }

  /** A late system may be a short one; the first is what the application consists of. */
  @Test
  void accept_systemsThatStartBeforeTheQuietMoment_testsTheFirstThatLasts() {
    CountDownLatch quietNow = new CountDownLatch(1);
    SelfTestLauncher patient =
        new SelfTestLauncher(
            problem -> {},
            system -> Set.of(),
            new QuietMoment(
                TimeUnit.HOURS.toNanos(1),
                () -> {
                  await(quietNow);
                  return Optional.of(Duration.ZERO);
                },
                nanos -> nanos),
            (system, hooks) ->
                s -> {
                  tested.add(s);
                  if (s.equals("lasting")) {
                    shown.countDown();
                  }
                  return s.equals("lasting");
                });
    List<Object> systems = List.of("ends at once", "lasting", "late");
    systems.forEach(patient);
    quietNow.countDown();
    await(shown);
    assertThat(tested).containsExactly("ends at once", "lasting");
  }

  @Test
  void accept_afterASystemWasTestedToTheEnd_testsNoOther() {
    launcher.accept("lasting");
    await(shown);
    launcher.accept("first");
    assertThat(tested).containsExactly("lasting");
  }

  /** Each class stands for the systems of one Pekko. */
  @Test
  void accept_systemsOfTwoPekkos_testsOneOfEach() throws InterruptedException {
    CountDownLatch both = new CountDownLatch(2);
    SelfTestLauncher two =
        new SelfTestLauncher(
            problem -> {},
            system -> Set.of(),
            new QuietMoment(0),
            (system, hooks) ->
                s -> {
                  tested.add(s);
                  both.countDown();
                  return true;
                });
    Object other = 'o';
    two.accept("one");
    two.accept(other);
    assertThat(both.await(90, TimeUnit.SECONDS)).isTrue();
    assertThat(tested).containsExactlyInAnyOrder("one", other);
  }
}
