// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.agent.profile.ProfileRows.Row;
import java.util.Locale;

/**
 * The parameters of a profile.
 *
 * @param seconds how far back, 1 or more
 * @param kind which samples the tree is made of
 * @param actorClass only those of this actor class, by its full name or the part after the last
 *     dot; empty for all
 * @param messageClass likewise
 * @param spanId only those of the message with this span; 0 for all
 * @param time what the tree is of
 */
public record ProfileQuery(
    int seconds, Kind kind, String actorClass, String messageClass, long spanId, Time time) {
  /** The figures that a tree adds up. */
  public enum Time {
    /** Samples of threads that run. */
    CPU,
    /** All of the next four, in nanoseconds. */
    WAIT,
    /** For a monitor or another lock. */
    LOCK,
    /** For sockets and files. */
    IO,
    /** Asleep for a time. */
    SLEEP,
    /** Parked, or in {@code Object.wait}: for another thread to say something. */
    PARK,
    /** Bytes of new objects. */
    ALLOCATION;

    boolean has(Part part) {
      return this == WAIT ? part.isWait() : name().equals(part.name());
    }

    /** As the interface has it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The kind of place in which a sample was found. */
  public enum Kind {
    /** A message that has a record. */
    MESSAGE,
    /** A message of one of Pekko's own actors, which has no record. */
    PEKKO,
    /** Another message without a record. */
    UNRECORDED,
    /** A thread of an actor's, outside of messages. */
    DISPATCHER,
    /** Any other thread. */
    OTHER;

    static Kind of(int row, ProfileRows rows) {
      return switch (row) {
        case SampleLog.UNRECORDED -> UNRECORDED;
        case SampleLog.DISPATCHER -> DISPATCHER;
        case SampleLog.OTHER -> OTHER;
        default -> rows.byNumber(row).part().isEmpty() ? MESSAGE : PEKKO;
      };
    }

    /** As the interface has it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  boolean takes(long span) {
    return spanId == 0 || spanId == span;
  }

  boolean takes(Kind of, Row row) {
    return of == kind
        && (row.actorClass().isEmpty()
            || (matches(actorClass, row.actorClass())
                && matches(messageClass, row.messageClass())));
  }

  private static boolean matches(String wanted, String name) {
    return wanted.isEmpty()
        || name.equals(wanted)
        || (name.length() > wanted.length()
            && name.endsWith(wanted)
            && ".$".indexOf(name.charAt(name.length() - wanted.length() - 1)) >= 0);
  }
}
