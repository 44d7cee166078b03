// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.observer.ThreadTable;
import io.deimos.agent.routes.Schema;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.trouble.AtWork;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.io.IOException;
import java.util.Locale;

/** Writes the answers of {@code /api/v1/threads}. An unknown value is null. */
final class ThreadsJson {
  private static final Schema WORK =
      Schema.named("Work", "The message that a thread processes.")
          .with("actorId", Schema.whole("The actor's number."))
          .with("actorPath", Schema.text("The actor's path.").orNull())
          .with("actorClass", Schema.text("The actor's class."))
          .with("messageClass", Schema.text("The message's class."))
          .with("forNanos", Schema.whole("For how long.").orNull())
          .with("traceId", Schema.hex(32, "Its trace.").orNull())
          .with("spanId", Schema.hex(16, "Its span.").orNull())
          .orNull();

  private static final Schema THREAD =
      Schema.named("Thread", "A thread, and what it does.")
          .with("id", Schema.whole("Its id."))
          .with("name", Schema.text("Its name."))
          .with("state", Schema.text("runnable, blocked, waiting, timed_waiting and so on."))
          .with("work", WORK);

  private static final Schema POOL =
      Schema.named("Dispatcher", "A dispatcher; without a name, threads of none.")
          .with("system", Schema.text("Its actor system.").orNull())
          .with("name", Schema.text("Its name in the configuration.").orNull())
          .with("executor", Schema.text("The class of its executor.").orNull())
          .with("parallelism", Schema.whole("How many threads it may use.").orNull())
          .with("active", Schema.whole("How many are busy.").orNull())
          .with("queued", Schema.whole("How many tasks wait.").orNull())
          .with("actors", Schema.whole("How many actors it has.").orNull())
          .with(
              "waitNanos",
              Schema.whole("For how long a task has been waiting for a thread; 0 if none is."))
          .with("threads", Schema.list(THREAD, "Its threads that match."));

  static final Schema TABLE =
      Schema.named("Threads", "The dispatchers with their threads.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with(
              "starvations",
              Schema.whole(
                  "How often tasks waited longer than deimos.starvation.threshold, since the"
                      + " start."))
          .with("threadsLeftOut", Schema.whole("How many threads match beyond the limit."))
          .with("dispatchers", Schema.list(POOL, "Each with its threads."));

  static final Schema STACK =
      Schema.named("Stack", "Where a thread is.")
          .with("frames", Schema.list(Schema.text(""), "The innermost first, at most 200."))
          .with("framesLeftOut", Schema.whole("How many more there are."));

  private static final int MAX_FRAMES = 200;

  private ThreadsJson() {}

  static void table(Json json, ThreadTable table) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("starvations").value(Metric.STARVATIONS.tally().sum());
    json.name("threadsLeftOut").value(table.more());
    json.name("dispatchers").beginArray();
    for (ThreadTable.Pool pool : table.pools()) {
      json.beginObject();
      json.name("system").orNull(pool.system());
      json.name("name").orNull(pool.dispatcher());
      json.name("executor").orNull(pool.executor());
      json.name("parallelism").value(pool.load().parallelism());
      json.name("active").value(pool.load().active());
      json.name("queued").value(pool.load().queued());
      json.name("actors").value(pool.load().actors());
      json.name("waitNanos").value(pool.waitNanos());
      json.name("threads")
          .objects(pool.threads(), (to, line) -> thread(to, line, table.nowNanos()))
          .endObject();
    }
    json.endArray().endObject();
  }

  private static void thread(Json json, ThreadTable.Line line, long nowNanos) throws IOException {
    AtWork work = line.work();
    json.name("id").value(line.id());
    json.name("name").value(line.name());
    json.name("state").value(line.state().name().toLowerCase(Locale.ROOT));
    if (work == null) {
      json.name("work").none();
    } else {
      json.name("work").beginObject();
      json.name("actorId").value(work.actor().id());
      json.name("actorPath").orNull(work.actor().path());
      json.name("actorClass").value(work.actor().className());
      json.name("messageClass").value(work.message());
      json.name("forNanos").value(work.startNanos() == 0 ? null : work.lastedNanos(nowNanos));
      json.name("traceId")
          .orNull(work.spanId() == 0 ? "" : TraceId.fromLongs(work.traceHi(), work.traceLo()));
      json.name("spanId").orNull(work.spanId() == 0 ? "" : SpanId.fromLong(work.spanId()));
      json.endObject();
    }
  }

  static void stack(Json json, StackTraceElement[] stack) throws IOException {
    json.beginObject();
    json.name("frames").beginArray();
    for (int i = 0; i < Math.min(MAX_FRAMES, stack.length); i++) {
      json.value(stack[i].toString());
    }
    json.endArray();
    json.name("framesLeftOut").value(Math.max(0, stack.length - MAX_FRAMES));
    json.endObject();
  }
}
