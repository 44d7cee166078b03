// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.json.Json;
import io.deimos.agent.log.Printable;
import io.deimos.agent.routes.Schema;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The fate of the OTLP that came to this page, over HTTP and over gRPC. Safe for any thread. */
public final class OtlpCounts {
  static final Schema SCHEMA =
      Schema.named("Otlp", "The fate of the OTLP that came to this page.")
          .with("requests", Schema.whole("Requests that were taken."))
          .with("refused", Schema.whole("Requests and connections that were refused."))
          .with("spans", Schema.whole("Spans in the requests that were taken."))
          .with(
              "spansTurnedAway",
              Schema.whole(
                  "Those among them that are not kept, as their senders were told: without valid"
                      + " ids, of more traces than the page takes, or more than it keeps of one."))
          .with("logs", Schema.whole("Log records; the last ones are kept."))
          .with("notKept", Schema.whole("Data points; none are kept."))
          .with("lastRefused", Schema.text("The last refusal, and its reason.").orNull())
          .with("lastRefusedMillis", Schema.whole("When that was.").orNull());

  private long requests;
  private long refused;
  private long spans;
  private long spansTurnedAway;
  private long logs;
  private long notKept;
  private @Nullable String lastRefused;
  private long lastRefusedMillis;

  /** A request of this many spans has been taken, but for some of them. */
  synchronized void spans(long count, long turnedAway) {
    requests++;
    spans += count;
    spansTurnedAway += turnedAway;
  }

  /** A request with this many log records has been taken. */
  synchronized void logs(long count) {
    requests++;
    logs += count;
  }

  /** A request with this many points has been taken, and they have been let go. */
  synchronized void notKept(long count) {
    requests++;
    notKept += count;
  }

  /**
   * A request has been refused.
   *
   * @param over HTTP or gRPC
   */
  public synchronized void refused(String over, String why) {
    refused++;
    lastRefused = over + ": " + Printable.shortLine(why);
    lastRefusedMillis = System.currentTimeMillis();
  }

  synchronized void writeTo(Json json) throws IOException {
    json.beginObject();
    json.name("requests").value(requests);
    json.name("refused").value(refused);
    json.name("spans").value(spans);
    json.name("spansTurnedAway").value(spansTurnedAway);
    json.name("logs").value(logs);
    json.name("notKept").value(notKept);
    json.name("lastRefused").value(lastRefused);
    json.name("lastRefusedMillis").value(lastRefused == null ? null : lastRefusedMillis);
    json.endObject();
  }
}
