// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.recorder.actors.ActorKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers pairs of an actor class and a message class. Safe for any thread.
 *
 * <p><b>Full.</b> All pairs beyond {@value #MOST} share row 0.
 */
final class ProfileRows {
  static final int MOST = 4096;

  private static final String OTHER = "(other)";

  private final Map<Row, Integer> numbers = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();

  ProfileRows() {
    rows.add(new Row(OTHER, OTHER, ""));
  }

  int of(ActorKind kind, String message) {
    return of(new Row(kind.className(), message, ""));
  }

  int of(PekkosActor actor) {
    return of(new Row(actor.className(), "", actor.part()));
  }

  private int of(Row row) {
    synchronized (numbers) {
      Integer known = numbers.get(row);
      if (known != null) {
        return known;
      }
      if (rows.size() == MOST) {
        return 0;
      }
      rows.add(row);
      numbers.put(row, rows.size() - 1);
      return rows.size() - 1;
    }
  }

  Row byNumber(int number) {
    synchronized (numbers) {
      return rows.get(number);
    }
  }

  /**
   * An actor class with a message class.
   *
   * @param part which part of Pekko it is, of one of its own actors, whose messages are not told
   *     apart; empty for others
   */
  record Row(String actorClass, String messageClass, String part) {}
}
