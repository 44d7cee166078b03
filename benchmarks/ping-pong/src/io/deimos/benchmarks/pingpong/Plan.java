// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

package io.deimos.benchmarks.pingpong;

import java.util.Arrays;
import java.util.List;

/**
 * The cases that are measured together, transports in turn.
 *
 * @param name the benchmark's name in the result
 * @param transports by their labels
 * @param clients numbers of clients, a row each
 * @param windows messages under way at once by client, a row each
 * @param messages by client; a single client sends ten times as many, three times with --quick
 * @param rounds JVMs of each transport
 * @param repeats how often each row is measured in a JVM
 * @param tables whether compression tables are in use
 * @param twoJvms whether the systems have a JVM each
 * @param payloadBytes length of the text that is sent; 0 for three letters
 * @param idle whether single messages are timed, with pauses between them
 */
record Plan(
    String name,
    List<String> transports,
    List<Integer> clients,
    List<Integer> windows,
    int messages,
    int rounds,
    int repeats,
    boolean tables,
    boolean twoJvms,
    int payloadBytes,
    boolean idle) {

  private static final List<String> ALL = List.of("artery-tcp", "deimos", "artery-aeron", "classic");
  private static final List<String> TCP = List.of("artery-tcp", "deimos");
  private static final List<String> TLS = List.of("artery-tls", "deimos-tls");
  private static final List<String> BATCHING = List.of("deimos", "deimos-unbatched");
  private static final List<Integer> MANY = List.of(1, 5, 10, 15, 20, 25, 30);
  private static final List<Integer> ENDS = List.of(1, 30);
  private static final List<Integer> THIRTY = List.of(30);
  private static final List<Integer> NARROW = List.of(50);
  private static final List<Integer> WIDE = List.of(1000);

  /** As in the article: the benchmark's own rows. */
  static final Plan MAIN =
      new Plan("ping-pong", ALL, MANY, NARROW, 100_000, 3, 1, false, false, 0, false);

  /** All cases, with so many messages that a run of all of them ends within an hour. */
  static final List<Plan> RECORD =
      List.of(
          MAIN.transports("artery-tcp,deimos").messages(40_000).rounds(2),
          new Plan("ping-pong-batching", BATCHING, MANY, NARROW, 10_000, 1, 1, false, false, 0, false),
          new Plan("ping-pong-wide", TCP, ENDS, WIDE, 40_000, 2, 1, false, false, 0, false),
          new Plan("ping-pong-others", ALL, THIRTY, WIDE, 20_000, 1, 1, false, false, 0, false),
          new Plan("ping-pong-tables", TCP, ENDS, NARROW, 20_000, 1, 1, true, false, 0, false),
          new Plan("ping-pong-two-jvms", TCP, ENDS, NARROW, 20_000, 2, 1, false, true, 0, false),
          new Plan("ping-pong-tls", TLS, ENDS, NARROW, 10_000, 1, 1, false, false, 0, false),
          new Plan("ping-pong-10kB", TCP, List.of(10), NARROW, 2_000, 2, 2, false, false, 10_000, false),
          new Plan("ping-pong-1MB", TCP, List.of(2), List.of(5), 200, 2, 2, false, false, 1_000_000, false),
          new Plan("ping-pong-idle", List.of("artery-tcp", "deimos", "floor"), List.of(1), List.of(1), 6_000, 3, 1, false, false, 0, true),
          new Plan("ping-pong-spread", TCP, THIRTY, NARROW, 20_000, 1, 10, false, false, 0, false));

  /** The case of a name without the part that all have. */
  static Plan named(String name) {
    for (Plan plan : RECORD) {
      if (plan.name.equals("ping-pong-" + name) || plan.name.equals(name)) {
        return plan.name.equals(MAIN.name) ? MAIN : plan;
      }
    }
    throw new IllegalArgumentException(
        name
            + " is no case; there are "
            + String.join(", ", RECORD.stream().map(p -> p.name.replace("ping-pong-", "")).toList()));
  }

  Plan transports(String text) {
    List<String> given = Arrays.asList(text.split(","));
    given.forEach(Transport::of);
    return new Plan(
        name, given, clients, windows, messages, rounds, repeats, tables, twoJvms, payloadBytes, idle);
  }

  Plan clients(String text) {
    return new Plan(
        name, transports, numbers(text), windows, messages, rounds, repeats, tables, twoJvms,
        payloadBytes, idle);
  }

  Plan windows(String text) {
    return new Plan(
        name, transports, clients, numbers(text), messages, rounds, repeats, tables, twoJvms,
        payloadBytes, idle);
  }

  Plan messages(int number) {
    return new Plan(
        name, transports, clients, windows, number, rounds, repeats, tables, twoJvms, payloadBytes,
        idle);
  }

  Plan rounds(int number) {
    return new Plan(
        name, transports, clients, windows, messages, number, repeats, tables, twoJvms, payloadBytes,
        idle);
  }

  private static List<Integer> numbers(String text) {
    return Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
  }
}
