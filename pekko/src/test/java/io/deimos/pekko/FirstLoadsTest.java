// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The classes that are woven before the OpenTelemetry agent's builder sees them. */
class FirstLoadsTest {
  private static final String CELL = "org.apache.pekko.actor.ActorCell";
  private static final String MAILBOX = PekkoWeaver.MAILBOX;
  private static final String PEKKO = "org.apache.pekko.";

  private final FirstLoads first = first(Toolkit.PEKKO);

  private static FirstLoads first(Toolkit toolkit) {
    return new FirstLoads(
        new PekkoWeaver(
            toolkit,
            problem -> {},
            new PekkoWeaver.Choice(false, 0, false, true, true, true, true)));
  }

  private static boolean has(FirstLoads first, String type) {
    return first.of(type.replace('.', '/')) != null;
  }

  /** The OpenTelemetry agent weaves its classes together with us. */
  @Test
  void tasks_areAllOfPekkosThatAreTasksOrRunThem() {
    Set<String> tasks = new TreeSet<>();
    for (String type : Toolkit.PEKKO.byType().keySet()) {
      if (type.startsWith(PEKKO) && !type.equals(MAILBOX) && isTask(type)) {
        tasks.add(type);
      }
    }
    assertThat(FirstLoads.TASKS).containsExactlyInAnyOrderElementsOf(tasks);
  }

  private static boolean isTask(String name) {
    try {
      Class<?> type = Class.forName(name, false, FirstLoadsTest.class.getClassLoader());
      return Runnable.class.isAssignableFrom(type)
          || Callable.class.isAssignableFrom(type)
          || Executor.class.isAssignableFrom(type)
          || Future.class.isAssignableFrom(type);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void of_theOthersOfPekko_isThere() {
    for (String type : Toolkit.PEKKO.byType().keySet()) {
      boolean isLeft =
          !type.startsWith(PEKKO)
              || FirstLoads.TASKS.contains(type)
              || FirstLoads.SHARED.contains(type);
      assertThat(has(first, type)).as(type).isEqualTo(!isLeft);
    }
    assertThat(Toolkit.PEKKO.byType().keySet()).containsAll(FirstLoads.SHARED);
    assertThat(has(first, MAILBOX)).isTrue();
    assertThat(has(first, "java.lang.String")).isFalse();
  }

  /** None of Akka's is woven ahead. */
  @Test
  void of_akka_isTheMailboxAlone() {
    FirstLoads akkas = first(Toolkit.AKKA);
    assertThat(has(akkas, "akka.dispatch.Mailbox")).isTrue();
    assertThat(has(akkas, "akka.actor.ActorCell")).isFalse();
  }

  @Test
  void has_aClass_onlyInTheLoaderThatItWasWovenIn() {
    ClassLoader one = new URLClassLoader(new URL[0]);
    ClassLoader other = new URLClassLoader(new URL[0]);
    first.woven(CELL, one);
    assertThat(first.has(CELL, one)).isTrue();
    assertThat(first.has(CELL, other)).isFalse();
    assertThat(first.has(CELL, null)).isFalse();
    assertThat(first.has(MAILBOX, one)).isFalse();
    first.woven(CELL, null);
    assertThat(first.has(CELL, null)).isTrue();
  }
}
