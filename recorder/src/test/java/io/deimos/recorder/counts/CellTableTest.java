// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CellTableTest {
  private final ActorKind kind = ActorKinds.of("cells", "test.Celled", false);
  private final CellTable table = new CellTable();
  private final SeriesBudget budget = new SeriesBudget(100, Long.MAX_VALUE);

  /** Loaded anew by each {@link Loader}. */
  static final class Message {}

  /** Loads one class by itself. */
  private static final class Loader extends ClassLoader {
    Class<?> load() throws IOException {
      String name = Message.class.getName();
      try (InputStream in =
          Objects.requireNonNull(
              CellTableTest.class.getResourceAsStream("/" + name.replace('.', '/') + ".class"))) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      }
    }
  }

  private WeakReference<Class<?>> countedOnce() throws IOException {
    Class<?> type = new Loader().load();
    table.get(kind, type).add(1000, 10);
    return new WeakReference<>(type);
  }

  @Test
  void get_classThatIsGone_isNotKept() throws Exception {
    WeakReference<Class<?>> type = countedOnce();
    awaitGone(type);
  }

  @Test
  void get_classLoadedAgain_goesOnInTheSameCell() throws Exception {
    for (int i = 0; i < 3; i++) {
      awaitGone(countedOnce());
    }
    assertThat(processed()).isEqualTo(3);
    assertThat(table.seen(1)).isNotNull();
    assertThat(table.seen(2)).as("no cell for each time").isNull();
  }

  @Test
  void get_classLoadedTwiceAtATime_countsBoth() throws Exception {
    Class<?> one = new Loader().load();
    Class<?> other = new Loader().load();
    table.get(kind, one).add(1000, 10);
    table.get(kind, other).add(1000, 10);
    assertThat(processed()).isEqualTo(2);
    assertThat(one).isNotSameAs(other);
  }

  @Test
  void get_whileSomebodyCollects_doesNotWait() throws Exception {
    Thread actor;
    synchronized (budget) {
      actor = new Thread(() -> table.get(kind, String.class).add(1000, 10));
      actor.start();
      actor.join();
    }
    assertThat(processed()).isEqualTo(1);
  }

  private long processed() {
    return budget.fold(List.of(table)).series().stream()
        .mapToLong(MetricsFold.Series::processed)
        .sum();
  }

  private static void awaitGone(WeakReference<Class<?>> type) throws InterruptedException {
    for (int i = 0; i < 200 && type.get() != null; i++) {
      System.gc();
      Thread.sleep(5);
    }
    assertThat(type.get()).isNull();
  }
}
