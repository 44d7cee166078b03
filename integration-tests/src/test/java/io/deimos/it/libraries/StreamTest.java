// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.ScenarioRun;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * One row for each way in which an element waits in a stream: it goes on in the context in which it
 * came, and not in that of what let it go on. Streams have no spans.
 */
class StreamTest {
  private static final Map<String, String> ROWS = new TreeMap<>();
  private static ScenarioRun run;

  /** What three actors have sent is three traces. */
  private static final String THREE =
      """
      process Begin at /user/a
        process Work at /user/sink
      process Begin at /user/b
        process Work at /user/sink
      process Begin at /user/c
        process Work at /user/sink
      """;

  static {
    for (String row : List.of("materialised", "async", "map-async")) {
      ROWS.put(
          "stream-" + row,
          """
          process Begin at /user/front
            process Work at /user/sink
            process Work at /user/sink
          """);
    }
    for (String row :
        List.of("queue", "queue-slow", "order", "actor-source", "actor-sink", "typed", "buffer")) {
      ROWS.put("stream-" + row, THREE);
    }
    ROWS.put(
        "stream-conflate",
        """
        process Begin at /user/a
          process Work at /user/sink
        process Begin at /user/b
          process Work at /user/sink
        """);
    ROWS.put("stream-queue-behind", THREE + "process Work at /user/sink\n");
    // An element of two has the context of the first.
    ROWS.put("stream-zip", THREE + "process Begin at /user/right\n");
    ROWS.put(
        "stream-outside",
        """
        process Work at /user/sink
        process Work at /user/sink
        """);
    ROWS.put(
        "stream-ask",
        """
        process Begin at /user/front
          ask Work at /user/back
            process Work at /user/back from /temp
          ask Work at /user/back
            process Work at /user/back from /temp
          process Done at /user/sink
          process Done at /user/sink
        """);
    ROWS.put(
        "stream-typed-ask",
        """
        process Begin at /user/front
          ask Question at /user/back
            process Question at /user/back from /temp
          ask Question at /user/back
            process Question at /user/back from /temp
          process Answer at /user/sink
          process Answer at /user/sink
        """);
    ROWS.put(
        "stream-typed-source-acked",
        """
        process Begin at /user/a
          process Acked at /user/acks
          process Work at /user/sink
        process Begin at /user/b
          process Acked at /user/acks
          process Work at /user/sink
        """);
    ROWS.put(
        "stream-typed-sink-acked",
        """
        process Begin at /user/front
          process Item at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Item at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Item at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Item at /user/sink from /system/Materializers/StreamSupervisor-$/$$
            process Completed at /user/sink from /system/Materializers/StreamSupervisor-$/$$
        """);
    ROWS.put(
        "stream-tick",
        """
        process Begin at /user/front
        process Tick at /user/sink, tick after process Begin
        process Tick at /user/sink, tick after process Begin
        """);
    ROWS.put(
        "stream-actor-source-acked",
        """
        process Begin at /user/a
          process Acked at /user/a
          process Work at /user/sink
        process Begin at /user/b
          process Acked at /user/b
          process Work at /user/sink
        """);
    ROWS.put(
        "stream-actor-sink-acked",
        """
        process Begin at /user/front
          process Hello at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Work at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Work at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Work at /user/sink from /system/Materializers/StreamSupervisor-$/$$
            process Completed at /user/sink from /system/Materializers/StreamSupervisor-$/$$
        """);
  }

  static {
    // Last, since it turns off for this application what the others are about.
    ROWS.put(
        "streams-off",
        """
        process Begin at /user/a
        process Begin at /user/b
        process Begin at /user/c
        process Work at /user/sink
        process Work at /user/sink
        process Work at /user/sink
        process Work at /user/sink
        """);
  }

  @BeforeAll
  static void runAll() {
    run =
        ScenarioRun.run(
            Jdk.own(),
            "streams",
            List.copyOf(ROWS.keySet()),
            b -> b.deimos().classPath(Layout.wholeClassPath()).pekkoAlone(),
            b -> b);
  }

  @TestFactory
  Stream<DynamicTest> row_whenRun_hasItsTraces() {
    return run.tests(ROWS);
  }
}
