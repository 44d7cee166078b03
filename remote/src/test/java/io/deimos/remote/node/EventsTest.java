// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.node.EventRun.Event;
import io.deimos.remote.node.EventRun.Kind;
import io.deimos.remote.node.EventRun.Outcome;
import io.deimos.remote.node.EventRun.Result;
import io.deimos.remote.node.EventRun.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to connections, ours lose no more than stock Artery's, and say no worse of it.
 * {@code -Devents=all} runs all pairs, and {@code -Devents.write=true} writes what was seen to
 * {@code benchmarks/results/artery-events.md}.
 */
class EventsTest {
  private static final int AT_ONCE = 8;
  private static final boolean ALL = "all".equals(System.getProperty("events"));

  /** One event each, and the pairs that are most unlike the sum of their parts. */
  private static final List<List<Event>> SOME =
      List.of(
          List.of(Event.IDLE_STOP),
          List.of(Event.CUT),
          List.of(Event.QUARANTINE),
          List.of(Event.PEER_RESTART),
          List.of(Event.IDLE_QUARANTINE),
          List.of(Event.INBOUND_RESTART),
          List.of(Event.IDLE_STOP, Event.CUT),
          List.of(Event.INBOUND_RESTART, Event.INBOUND_RESTART),
          List.of(Event.QUARANTINE, Event.PEER_RESTART));

  private static List<List<Event>> cells() {
    if (!ALL) {
      return SOME;
    }
    List<List<Event>> all = new ArrayList<>();
    for (Event first : Event.values()) {
      all.add(List.of(first));
    }
    for (Event first : Event.values()) {
      for (Event second : Event.values()) {
        // a peer that may be put in quarantine is asked whether it is there, and so never idle
        boolean contrary = first == Event.IDLE_STOP && second == Event.IDLE_QUARANTINE;
        if (second.compareTo(first) >= 0 && !contrary) {
          all.add(List.of(first, second));
        }
      }
    }
    return all;
  }

  private record Both(Result stock, Result ours) {}

  @Test
  void events_aloneAndInPairs_loseNoMoreThanWithStockArtery() throws Exception {
    Map<List<Event>, Both> seen = runAll(cells());
    Path table = Path.of("target", "events.md");
    Files.writeString(table, table(seen));
    if (Boolean.getBoolean("events.write")) {
      Files.copy(
          table,
          Path.of("../benchmarks/results/artery-events.md"),
          StandardCopyOption.REPLACE_EXISTING);
    }
    List<String> worse = new ArrayList<>();
    seen.forEach((events, both) -> worse.addAll(worse(events, both, ofStock(events, seen))));
    assertThat(worse).as("see %s", table.toAbsolutePath()).isEmpty();
  }

  private static Map<List<Event>, Both> runAll(List<List<Event>> cells) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      Map<List<Event>, List<Future<Result>>> running = new LinkedHashMap<>();
      for (List<Event> events : cells) {
        running.put(
            events,
            List.of(
                threads.submit(() -> run(false, events)), threads.submit(() -> run(true, events))));
      }
      Map<List<Event>, Both> seen = new LinkedHashMap<>();
      List<Throwable> failures = new ArrayList<>();
      for (Map.Entry<List<Event>, List<Future<Result>>> cell : running.entrySet()) {
        List<Future<Result>> both = cell.getValue();
        try {
          seen.put(cell.getKey(), new Both(both.get(0).get(), both.get(1).get()));
        } catch (ExecutionException e) {
          failures.add(e.getCause());
        }
      }
      assertThat(failures).isEmpty();
      return seen;
    } finally {
      threads.shutdownNow();
    }
  }

  private static Result run(boolean ours, List<Event> events) throws IOException {
    try (EventRun run = new EventRun(ours, events)) {
      return run.run();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError((ours ? "ours, " : "stock, ") + words(events), e);
    }
  }

  /**
   * Only where both nodes know of the end of their connections before they send is it certain what
   * becomes of the first message. Elsewhere it may be under way.
   */
  private static boolean isCertain(List<Event> events) {
    Event last = events.get(events.size() - 1);
    return last == Event.CUT || last == Event.IDLE_STOP;
  }

  /** The lines that stock logs of any of these events; some lines depend on what is under way. */
  private static Set<String> ofStock(List<Event> events, Map<List<Event>, Both> seen) {
    Set<String> lines = new TreeSet<>();
    seen.forEach(
        (others, both) -> {
          if (others.stream().anyMatch(other -> isPartOf(other, events))) {
            lines.addAll(both.stock().logged());
          } else if (events.contains(Event.PEER_RESTART)
              && others.contains(Event.INBOUND_RESTART)) {
            both.stock().logged().stream().filter(EventsTest::isNumbering).forEach(lines::add);
          }
        });
    return lines;
  }

  private static boolean isPartOf(Event event, List<Event> events) {
    return events.contains(event) || (event == Event.CUT && events.stream().anyMatch(Event::cuts));
  }

  /**
   * A peer that was restarted expects system messages from number 1 on, as one whose inbound
   * streams were. Whether one comes before its node has noticed depends on what is under way.
   */
  private static boolean isNumbering(String line) {
    return line.contains("negative acknowledgement of system message");
  }

  private static List<String> worse(List<Event> events, Both both, Set<String> ofStock) {
    List<String> worse = new ArrayList<>();
    both.stock()
        .outcomes()
        .forEach(
            (way, stock) -> {
              Outcome ours = both.ours().outcomes().get(way);
              boolean lost = stock != Outcome.NONE && ours == Outcome.NONE;
              if (lost || (isCertain(events) && ours.compareTo(stock) < 0)) {
                worse.add(words(events) + ", " + way + ": " + ours + ", with stock " + stock);
              }
            });
    if (both.ours().quarantined() && !both.stock().quarantined()) {
      worse.add(words(events) + ": quarantine");
    }
    Set<String> more = new TreeSet<>(both.ours().logged());
    more.removeAll(ofStock);
    more.forEach(line -> worse.add(words(events) + " logs " + line));
    return worse;
  }

  private static String words(List<Event> events) {
    return events.stream().map(event -> event.words).collect(Collectors.joining(", "));
  }

  private static String table(Map<List<Event>, Both> seen) {
    StringBuilder text =
        new StringBuilder(
            """
            # Events, over stock Artery TCP and over ours

            Two nodes, a and b, send each other messages of each kind when the last event is over. *first*: the first one
            arrives. *later*: it is lost, and one of those that follow every 50 ms arrives (of system messages, every 500 ms).
            *none*: none arrives in a second, or the other node refuses it. Where the two differ, stock comes first. Events: all connections are idle and stop, or are cut (and both nodes know);
            a puts b in quarantine; each puts the other in quarantine, since it was out of reach for
            long; b crashes and starts again at the same address; b's inbound streams fail and start again. System messages are
            those of a watch and its end, both ways.

            After an inbound restart Pekko's control streams, which ours uses, bring no system message through until b is
            started again: b expects those of a from number 1 on, while a goes on where it was, and those of b wait for a stream
            that has ended. If a has yet to acknowledge a system message when the streams of b fail, b puts a in quarantine, in
            both. Here they fail when all are acknowledged.

            """);
    text.append("| events |");
    for (boolean back : new boolean[] {false, true}) {
      for (Kind kind : Kind.values()) {
        text.append(back ? " b → a " : " a → b ")
            .append(kind.name().toLowerCase(Locale.ROOT))
            .append(" |");
      }
    }
    text.append(" warnings and errors |\n|").append("---|".repeat(10)).append('\n');
    seen.forEach((events, both) -> row(text, events, both));
    return text.toString();
  }

  private static void row(StringBuilder text, List<Event> events, Both both) {
    text.append("| ").append(words(events)).append(" |");
    for (boolean back : new boolean[] {false, true}) {
      for (Kind kind : Kind.values()) {
        Way way = new Way(back, kind);
        String stock = word(both.stock().outcomes().get(way));
        String ours = word(both.ours().outcomes().get(way));
        text.append(' ').append(stock.equals(ours) ? ours : stock + ", ours " + ours).append(" |");
      }
    }
    Set<String> all = new TreeSet<>(both.stock().logged());
    all.addAll(both.ours().logged());
    List<String> lines = new ArrayList<>();
    for (String line : all) {
      boolean stock = both.stock().logged().contains(line);
      boolean ours = both.ours().logged().contains(line);
      lines.add(line + (stock == ours ? "" : stock ? " (stock)" : " (ours)"));
    }
    text.append(' ').append(String.join("; ", lines)).append(" |\n");
  }

  private static String word(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }
}
