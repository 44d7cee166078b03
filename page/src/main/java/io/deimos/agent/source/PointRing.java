// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.source;

import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import java.io.IOException;

/**
 * Points of a history: when each was taken, and its figures, a column each. It allocates once.
 *
 * <p><b>Full.</b> The newest point takes the place of the oldest.
 *
 * <p><b>Threads.</b> Guarded by the lock of the history that has it.
 */
final class PointRing {
  /**
   * When something was looked at.
   *
   * @param epochMillis by the wall clock, as it is shown; that may be set
   * @param nanos by {@link System#nanoTime}, as time passes
   */
  record At(long epochMillis, long nanos) {
    static At now() {
      return new At(System.currentTimeMillis(), System.nanoTime());
    }

    long nanosSince(At before) {
      return nanos - before.nanos;
    }
  }

  private final String[] names;
  private final int everyMillis;
  private final long[] millis;
  private final double[][] columns;
  private int size;
  private int next;

  /**
   * An empty one.
   *
   * @param everyMillis how far apart the points are, as the page is told
   * @param names of the columns
   */
  PointRing(int points, int everyMillis, String... names) {
    this.names = names.clone();
    this.everyMillis = everyMillis;
    millis = new long[points];
    columns = new double[names.length][points];
  }

  /** The size of the answer that {@link #writeTo} writes. */
  static Schema schema(String name, String words, String... columns) {
    Schema schema =
        Schema.named(name, words)
            .with("everyMillis", Schema.whole("How far its points are apart."))
            .with("seconds", Schema.list(Schema.number(""), "When, in seconds since 1970."));
    for (String column : columns) {
      schema = schema.with(column, Schema.list(Schema.number("").orNull(), ""));
    }
    return schema;
  }

  /** A point; a figure for each column. */
  void add(At at, double... figures) {
    millis[next] = at.epochMillis;
    for (int i = 0; i < columns.length; i++) {
      columns[i][next] = figures[i];
    }
    next = (next + 1) % millis.length;
    size = Math.min(millis.length, size + 1);
  }

  /** The oldest first. */
  void writeTo(Json json) throws IOException {
    json.beginObject();
    json.name("everyMillis").value(everyMillis);
    json.name("seconds").beginArray();
    for (int i = 0; i < size; i++) {
      json.value(millis[at(i)] / 1e3);
    }
    json.endArray();
    for (int column = 0; column < names.length; column++) {
      json.name(names[column]).beginArray();
      for (int i = 0; i < size; i++) {
        json.value(columns[column][at(i)]);
      }
      json.endArray();
    }
    json.endObject();
  }

  private int at(int i) {
    return (next - size + i + millis.length) % millis.length;
  }
}
