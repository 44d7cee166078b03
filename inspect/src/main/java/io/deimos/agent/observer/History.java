// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.messages.MessageLog;
import io.deimos.agent.messages.MessageRecord;
import io.deimos.agent.messages.Processing;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.MessageClasses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last messages of one actor before something went wrong, newest first: copied from the log, so
 * that they are there when the log has gone on and the actor has stopped. Immutable.
 */
public record History(List<Line> lines) {
  /** How many messages are kept. */
  static final int MAX_LINES = 20;

  /** How far back they are looked for, in messages of all actors. */
  private static final int MAX_LOOKED = 4096;

  /**
   * One message.
   *
   * @param senderPath empty if no actor sent it, or the actor is not known any more
   */
  public record Line(Processing processing, String message, String senderPath) {}

  /** Those that an actor with this path has processed up to now. */
  static History of(String path, MessageLog log) {
    Map<Integer, String> paths = new HashMap<>();
    List<Line> lines = new ArrayList<>();
    MessageRecord record = new MessageRecord();
    long newest = log.written() - 1;
    long oldest = Math.max(0, newest - MAX_LOOKED + 1);
    for (long number = newest;
        number >= oldest && lines.size() < MAX_LINES && log.copy(number, record);
        number--) {
      if (paths.computeIfAbsent(record.receiver(), History::path).equals(path)) {
        lines.add(line(record, paths));
      }
    }
    return new History(List.copyOf(lines));
  }

  private static Line line(MessageRecord record, Map<Integer, String> paths) {
    return new Line(
        Processing.of(record),
        MessageClasses.byId(record.messageClass()).name(),
        paths.computeIfAbsent(record.sender(), History::path));
  }

  private static String path(int id) {
    @Nullable ActorTelemetry actor = id == 0 ? null : Actors.byId(id);
    return actor == null ? "" : actor.path();
  }

  /** Its bytes in memory, about; actors share their paths, and messages their classes' names. */
  long bytes() {
    return 64
        + lines.stream().mapToLong(line -> Processing.BYTES + line.senderPath().length()).sum();
  }
}
