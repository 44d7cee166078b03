// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.Scrape;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers that a scrape tells, of an actor system in which each is known. */
class LevelsTest {
  private static final Jdk NEWEST = Jdk.all().get(Jdk.all().size() - 1);
  private static final String HELD = "pekko_actor_class=\"scenarios.Levels$Held\"";
  private static final int VIRTUAL_PARALLELISM = 3;

  @AutoClose private static AgentJvm jvm;
  private static RunningPage page;
  private static Scrape scrape;
  private static double secondsHeld;
  private static double secondsInAll;

  /** An actor at work on a message while somebody looked into it. */
  private static Config insideOfBusy;

  /** The same of one that had nothing to do, and of its parent. */
  private static Config insideOfFree;

  private static Config insideOfParent;

  /** After all waiting was over. */
  private static Scrape after;

  @BeforeAll
  static void runAll() {
    long begun = System.nanoTime();
    jvm =
        AgentJvm.on(NEWEST)
            .deimos()
            .classPath(Layout.wholeClassPath())
            .page()
            .property("deimos.content.logs", "debug")
            .property("deimos.content.state", "scenarios.Levels*")
            .pekkoAndOnly()
            .option("--add-opens=java.base/java.lang=ALL-UNNAMED")
            .property("jdk.virtualThreadScheduler.parallelism", "" + VIRTUAL_PARALLELISM)
            .start("levels");
    page = RunningPage.of(jvm);
    jvm.tell("run levels");
    jvm.awaitOut(
        "that all is as it should be", l -> l.equals("@holding") || l.startsWith("@failed"));
    double tried = latenesses(await(page, "all gauges read", LevelsTest::isRead));
    long held = System.nanoTime();
    scrape = await(page, "gauges read once more", now -> latenesses(now) > tried);
    insideOfBusy = page.json("/api/v1/inside/pekko%3A%2F%2Flevels%2Fuser%2Fthreads0");
    insideOfFree = inside(page, "pekko%3A%2F%2Flevels%2Fuser%2Fchatty");
    insideOfParent = inside(page, "pekko%3A%2F%2Flevels%2Fuser");
    secondsHeld = (System.nanoTime() - held) / 1e9;
    jvm.tell("");
    jvm.awaitOut("the end", l -> l.equals("@done levels"));
    after = await(page, "the waits of all", LevelsTest::hasWaits);
    secondsInAll = (System.nanoTime() - begun) / 1e9;
  }

  /** The inside of an actor, once its thread has come to it. */
  private static Config inside(RunningPage page, String actor) {
    return Eventually.see(
        () -> page.json("/api/v1/inside/" + actor),
        answer -> !answer.getBoolean("waiting"),
        last -> "no visit: " + last);
  }

  private static Scrape await(
      RunningPage page, String what, java.util.function.Predicate<Scrape> condition) {
    return Eventually.see(() -> Scrape.of(page), condition, last -> what + "\n" + last);
  }

  /** The waits of all dispatchers after they were occupied, since all are read at the same time. */
  private static boolean isRead(Scrape now) {
    return value(now, "pekko_dispatcher_actor_count", "pekko_dispatcher_name=\"affine\"") == 4
        && value(now, "pekko_dispatcher_queue_size", "pekko_dispatcher_name=\"affine\"") >= 3
        && (NEWEST.feature() < 21
            || value(now, "pekko_dispatcher_actor_count", "pekko_dispatcher_name=\"virtual\"")
                == 2);
  }

  /** A waiting task is counted when it has run, a moment after the others. */
  private static boolean hasWaits(Scrape now) {
    return List.of("threads", "joined", "affine").stream()
        .allMatch(
            name ->
                value(
                        now,
                        "pekko_dispatcher_task_wait_duration_seconds_sum",
                        "pekko_dispatcher_name=\"" + name + "\"")
                    >= secondsHeld);
  }

  private static double latenesses(Scrape of) {
    return of.has("pekko_scheduler_lateness_duration_seconds_count", "levels")
        ? of.value("pekko_scheduler_lateness_duration_seconds_count", "levels")
        : 0;
  }

  private static double value(String metric, String... labels) {
    return value(scrape, metric, labels);
  }

  /** The value of the one series that has all of these labels. */
  private static double value(Scrape of, String metric, String... labels) {
    return of.series(metric).entrySet().stream()
        .filter(e -> List.of(labels).stream().allMatch(e.getKey()::contains))
        .mapToDouble(Map.Entry::getValue)
        .reduce((a, b) -> Double.NaN)
        .orElse(-1);
  }

  private static String dispatcher(String name) {
    return "pekko_dispatcher_name=\"" + name + "\"";
  }

  @ParameterizedTest
  @CsvSource({"threads, thread-pool, 2", "joined, fork-join, 2", "affine, affinity, 1"})
  void dispatcher_whoseThreadsAreAllAtWork_hasTheOthersQueued(
      String name, String executor, int threads) {
    String[] labels = {
      dispatcher(name), "pekko_executor_type=\"" + executor + "\"", "pekko_system=\"levels\""
    };
    assertThat(value("pekko_dispatcher_parallelism", labels)).isEqualTo(threads);
    assertThat(value("pekko_dispatcher_thread_count", labels)).isEqualTo(threads);
    assertThat(value("pekko_dispatcher_thread_active_count", labels))
        .isEqualTo(executor.equals("affinity") ? -1 : threads);
    assertThat(value("pekko_dispatcher_queue_size", labels)).isEqualTo(3);
    assertThat(value("pekko_dispatcher_actor_count", labels)).isEqualTo(threads + 3);
  }

  /** An empty task waited as long as the others did. */
  @ParameterizedTest
  @CsvSource({"threads", "joined", "affine"})
  void taskWait_ofADispatcherWhoseThreadsAreAllAtWork_isAsLongAsThat(String name) {
    String metric = "pekko_dispatcher_task_wait_duration_seconds";
    assertThat(value(after, metric + "_count", dispatcher(name))).isGreaterThanOrEqualTo(1);
    assertThat(value(after, metric + "_sum", dispatcher(name)))
        .isBetween(secondsHeld, secondsInAll);
  }

  @Test
  void virtualThreads_schedulerOfAll_isAsTheJvmWasTold() {
    String[] labels = {dispatcher("virtual"), "pekko_executor_type=\"virtual-thread\""};
    if (NEWEST.feature() >= 24) {
      assertThat(value("pekko_dispatcher_parallelism", labels)).isEqualTo(VIRTUAL_PARALLELISM);
      assertThat(value("pekko_dispatcher_thread_count", labels)).isBetween(1.0, 256.0);
      assertThat(value("pekko_dispatcher_thread_active_count", labels))
          .isBetween(0.0, (double) VIRTUAL_PARALLELISM);
      assertThat(value("pekko_dispatcher_queue_size", labels)).isZero();
    }
    if (NEWEST.feature() >= 21) {
      assertThat(value("pekko_dispatcher_actor_count", labels)).isEqualTo(2);
      String metric = "pekko_dispatcher_task_wait_duration_seconds";
      assertThat(value(metric + "_count", labels)).isPositive();
      assertThat(value(metric + "_sum", labels)).isGreaterThan(0).isLessThan(secondsInAll);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "actor=pekko%3A%2F%2Flevels%2Fuser%2Fchatty, 4 info 1 warning 2 error, one of one",
    "class=scenarios.log4j, 1 info 3 warning 2 error, as bad as an error",
    "class=scenarios.queued, 1 error, one of one"
  })
  void logs_ofAnActorAndOfALogger_areKeptWithTheirTraces(String query, String levels, String text)
      throws Exception {
    List<? extends Config> records =
        page.json("/api/v1/logs?limit=1000&" + query).getConfigList("records");
    assertThat(
            Stream.of("info", "warning", "error")
                .map(
                    level ->
                        records.stream().filter(r -> r.getString("level").equals(level)).count()
                            + " "
                            + level)
                .filter(counted -> !counted.startsWith("0"))
                .collect(Collectors.joining(" ")))
        .isEqualTo(levels);
    assertThat(records)
        .allSatisfy(
            one -> {
              assertThat(one.getString("traceId")).hasSize(32);
              assertThat(one.getString("spanId")).hasSize(16);
              assertThat(one.getString("actorPath")).startsWith("pekko://levels/user/");
            })
        .anySatisfy(one -> assertThat(one.getString("text")).isEqualTo(text));
    String trace = records.get(0).getString("traceId");
    assertThat(page.json("/api/v1/logs?trace=" + trace).getInt("total")).isPositive();
  }

  @Test
  void inside_ofAnActorAtWork_isNotKnownYet_ofAnotherIs() {
    assertThat(insideOfBusy.getBoolean("waiting")).isTrue();
    assertThat(insideOfFree.getBoolean("waiting")).isFalse();
    assertThat(insideOfFree.getStringList("notRead")).isEmpty();
    assertThat(insideOfFree.getStringList("state"))
        .contains("captured by a function of Levels")
        .anyMatch(line -> line.endsWith("= (scenarios.Stage)"));
    assertThat(insideOfParent.getIsNull("state")).isTrue();
    assertThat(insideOfParent.getConfigList("entries"))
        .anySatisfy(
            one -> {
              assertThat(one.getString("kind")).isEqualTo("child");
              assertThat(one.getString("name")).isEqualTo("pekko://levels/user/chatty");
            });
  }

  @Test
  void scheduler_latenessOfATask_isTried() {
    String metric = "pekko_scheduler_lateness_duration_seconds";
    assertThat(value(metric + "_count", "pekko_system=\"levels\"")).isPositive();
    assertThat(value(metric + "_sum", "pekko_system=\"levels\""))
        .isGreaterThan(0)
        .isLessThan(secondsInAll);
  }

  /**
   * Five at work have one more each, nine have their first, and the small mailbox is full. Those
   * nine have not been made: that, too, waits for a thread.
   */
  @Test
  void mailboxes_ofActorsThatAreNotAtWork_haveTheRest() {
    assertThat(value("pekko_mailbox_size", HELD, "pekko_system=\"levels\"")).isEqualTo(5 + 9 + 5);
    assertThat(value("pekko_mailbox_message_max", HELD, "pekko_system=\"levels\"")).isEqualTo(5);
    assertThat(value("pekko_actor_count", HELD, "pekko_system=\"levels\"")).isEqualTo(5 + 1);
    assertThat(value("pekko_actor_started_total", HELD)).isEqualTo(5 + 1);
    assertThat(value("pekko_actor_stopped_total", HELD)).isZero();
  }

  @Test
  void fullMailbox_ofTwentyMessagesTakesFive() {
    assertThat(
            value("pekko_message_dropped_total", "pekko_message_dropped_reason=\"mailbox_full\""))
        .isEqualTo(15);
    assertThat(
            value(
                "pekko_message_dropped_total",
                "pekko_message_dropped_reason=\"remote_queue_full\""))
        .isZero();
    assertThat(value("pekko_message_dropped_total", "pekko_message_dropped_reason=\"other\""))
        .isZero();
  }

  @ParameterizedTest
  @CsvSource({"stopped, 2", "no_actor, 3", "late_answer, 1"})
  void deadLetters_areCountedByReason(String reason, int count) {
    assertThat(
            value(
                "pekko_message_dead_lettered_total",
                "pekko_message_dead_lettered_reason=\"" + reason + "\""))
        .isEqualTo(count);
  }

  @Test
  void unhandled_isCountedByActor() {
    assertThat(value("pekko_message_unhandled_total", "pekko_actor_class=\"scenarios.Echo\""))
        .isEqualTo(1);
  }

  /**
   * One error, two warnings and three infos by Pekko's logging, which Pekko's logger and one of the
   * application's hand to Logback, and four debug events that Pekko publishes whatever its level
   * when loggers start; the others by actors to Logback and Log4j themselves.
   */
  @ParameterizedTest
  @CsvSource({"error, 6", "warning, 6", "info, 8", "debug, 6", "trace, 3"})
  void logEvents_areCountedByLevel(String level, int count) {
    assertThat(value("pekko_log_event_logged_total", "level=\"" + level + "\"")).isEqualTo(count);
  }

  @Test
  void questions_areCountedByWhoWasAsked() {
    String ping = "pekko_message_class=\"scenarios.Messages$Ping\"";
    String echo = "pekko_ask_actor_class=\"scenarios.Echo\"";
    String late = "pekko_ask_actor_class=\"scenarios.Levels$Late\"";
    assertThat(value("pekko_ask_duration_seconds_count", ping, echo)).isEqualTo(2);
    assertThat(value("pekko_ask_duration_seconds_sum", ping, echo)).isBetween(1e-6, secondsInAll);
    assertThat(value("pekko_ask_timed_out_total", ping, echo)).isZero();
    assertThat(value("pekko_ask_timed_out_total", ping, late)).isEqualTo(1);
    assertThat(value("pekko_ask_duration_seconds_sum", ping, late)).isBetween(0.05, secondsInAll);
  }

  @Test
  void router_hasThreeRoutees() {
    assertThat(
            value(
                "pekko_router_routee_count",
                "pekko_actor_class=\"scenarios.Echo\"",
                "pekko_system=\"levels\""))
        .isEqualTo(3);
  }

  @Test
  void stash_ofAClassicActor_hasWhatWasPutIntoIt() {
    assertThat(
            value(
                "pekko_stash_size",
                "pekko_actor_class=\"scenarios.Levels$Hoarder\"",
                "pekko_system=\"levels\""))
        .isEqualTo(4);
  }

  /** Ten elements went from the source to the map, and from there to the sink. */
  @Test
  void streams_runningOnesAndElementsOfAll_areCounted() {
    assertThat(value("pekko_stream_actor_count", "pekko_system=\"levels\"")).isEqualTo(2);
    assertThat(value("pekko_stream_element_pushed_total", "pekko_system=\"levels\"")).isEqualTo(20);
  }

  @Test
  void hooks_ofThisPekko_areAllThere() {
    assertThat(value("deimos_hook_missing_count")).isZero();
  }
}
