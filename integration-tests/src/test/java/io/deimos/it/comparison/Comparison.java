// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.comparison;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.WireLayout;
import io.deimos.it.harness.WireNode;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Runs the same rows under one tool, and judges what their handlers found to be the current trace.
 * Every row begins inside a span made by the tool's own interface for users, as a request from
 * outside would; no exporter takes part.
 */
final class Comparison {
  /** Rows inside one JVM, by the name of their scenario. */
  static final Map<String, String> LOCAL = new LinkedHashMap<>();

  /** Rows between two nodes, by the name of system and row. */
  static final Map<String, String> WIRE = new LinkedHashMap<>();

  static {
    local("classic-tell", "tell, classic");
    local("classic-forward", "forward");
    local("classic-selection", "actor selection");
    local("classic-event-stream", "event stream, classic");
    local("classic-stash", "stash, classic");
    local("mixed-stash", "stash, classic, two requests unstashed by a third");
    local("classic-ask", "ask and pipe, classic");
    local("mixed-asks", "ask and pipe, one answered while another is processed");
    local("classic-ask-callback", "callback of an ask that sends");
    local("pipe-stage", "pipe of a CompletionStage");
    local("pipe-future", "pipe of a Future");
    local("future-callback", "callback of a Future that sends");
    local("stage-callback", "callback of a CompletionStage that sends");
    local("mixed-callbacks", "callbacks of ten requests on one Future, run in a batch");
    local("schedule-once", "scheduleOnce");
    local("schedule-runnable", "scheduleOnce of a Runnable that sends");
    local("timer-single", "single timer, classic");
    local("router-pool", "router, pool");
    local("router-balancing", "router, balancing pool");
    local("router-group", "router, group");
    local("router-broadcast", "router, broadcast");
    local("mailbox-priority", "priority mailbox");
    local("dispatcher-pinned", "pinned dispatcher");
    local("typed-tell", "tell, typed");
    local("typed-ask", "ask, typed");
    local("typed-adapter", "message adapter");
    local("typed-pipe", "pipeToSelf");
    local("typed-timer", "single timer, typed");
    local("typed-schedule", "scheduleOnce, typed");
    local("typed-stash", "stash, typed");
    local("mixed-stash-typed", "stash, typed, two requests unstashed by a third");
    local("typed-event-stream", "event stream, typed");
    local("typed-pool", "router, typed pool");
    local("typed-group", "router, typed group");
    local("typed-to-classic", "typed to classic and back");
    local("mixed-persist", "persist handlers, classic, four commands at once");
    local("mixed-persist-typed", "persist effects, typed, four commands at once");
    local("mixed-stream", "elements of two requests in one stream, which asks an actor");
    local("tick-fixed-delay", "ticks of a periodic timer, classic");
    local("tick-scheduler-rate", "ticks of a periodic schedule");
    local("tick-typed-delay", "ticks of a periodic timer, typed");
    local("tick-receive-timeout", "receive time-outs, classic");
    local("tick-typed-receive-timeout", "receive time-outs, typed");
    local("outside-after", "message from outside after a request");
    local("outside-after-failure", "message from outside after a request that failed");
    for (String row : List.of("tell", "forward", "selection", "ask", "ask-typed")) {
      WIRE.put("tcp " + row, row.replace('-', ' ') + ", Artery TCP");
    }
    WIRE.put("tcp large", "large message, Artery TCP");
    WIRE.put("tcp router", "router with routees there, Artery TCP");
    WIRE.put("tcp deployed", "actor deployed there, Artery TCP");
    WIRE.put("classic tell", "tell, classic remoting");
    WIRE.put("classic ask", "ask, classic remoting");
    WIRE.put("cluster sharding", "sharding, first message to a shard");
    WIRE.put("cluster sharding-late", "sharding, region without its coordinator yet");
    WIRE.put("cluster sharding-typed", "ask of a sharded entity, typed");
    WIRE.put("cluster singleton-proxy", "singleton proxy that has not found it yet");
    WIRE.put("cluster cluster-router", "cluster-aware router");
    WIRE.put("cluster publish", "distributed pub-sub, publish");
    WIRE.put("cluster send", "distributed pub-sub, send to all");
    WIRE.put("cluster receptionist", "group router by the receptionist");
    WIRE.put("cluster client", "cluster client");
    WIRE.put("cluster delivery", "reliable delivery");
    WIRE.put("cluster delivery-lost", "reliable delivery of a message that got lost");
    WIRE.put("cluster delivery-pulled", "reliable delivery, work pulling");
    WIRE.put("cluster delivery-sharded", "reliable delivery, sharded");
  }

  private Comparison() {}

  private static void local(String row, String label) {
    LOCAL.put(row, label);
  }

  /** Whether a row's handlers should not be in the trace of its request. */
  static boolean isApart(String row) {
    return row.startsWith("tick-");
  }

  /**
   * Runs all rows.
   *
   * @param tool adds the tool to a JVM with that class path
   * @return the verdicts by row
   */
  static Map<String, Verdict> run(
      String name, BiFunction<AgentJvm.Builder, List<Path>, AgentJvm.Builder> tool) {
    Map<String, Verdict> verdicts = new TreeMap<>();
    try (OtlpReceiver receiver = OtlpReceiver.start(spans -> {})) {
      verdicts.putAll(runLocal(name, receiver, tool));
      verdicts.putAll(runWire(receiver, tool, Set.of("tcp", "cluster")));
      verdicts.putAll(runWire(receiver, tool, Set.of("classic")));
    }
    return verdicts;
  }

  private static Map<String, Verdict> runLocal(
      String name,
      OtlpReceiver receiver,
      BiFunction<AgentJvm.Builder, List<Path>, AgentJvm.Builder> tool) {
    List<Path> classPath = Layout.wholeClassPath();
    AgentJvm.Builder builder = AgentJvm.on(Jdk.own()).classPath(classPath).exportTo(receiver);
    try (AgentJvm jvm = tool.apply(builder, classPath).start("compare-" + name)) {
      LOCAL.keySet().forEach(jvm::attempt);
      jvm.tell("end");
      jvm.awaitExit();
      return judge(LOCAL.keySet(), jvm.out(), token -> token.substring(0, token.indexOf('=')));
    }
  }

  /**
   * Two nodes with these systems; what they cannot do any more when one of them ends is not run.
   */
  private static Map<String, Verdict> runWire(
      OtlpReceiver receiver,
      BiFunction<AgentJvm.Builder, List<Path>, AgentJvm.Builder> tool,
      Set<String> systems) {
    List<Path> classPath = WireLayout.classPath();
    Map<String, String> rowOfRequest = new LinkedHashMap<>();
    List<String> rows =
        WIRE.keySet().stream().filter(r -> systems.contains(r.replaceFirst(" .*", ""))).toList();
    try (WireNode a = WireNode.start("a", receiver, n -> tool.apply(n, classPath));
        WireNode b = WireNode.start("b", receiver, n -> tool.apply(n, classPath))) {
      try {
        for (WireNode node : List.of(a, b)) {
          node.open(systems.toArray(new String[0]));
        }
        if (systems.contains("cluster")) {
          WireNode.join("cluster", List.of(a, b));
        }
        for (String row : rows) {
          rowOfRequest.putAll(runWire(row, a, b));
        }
        a.end();
        b.end();
      } catch (AssertionError | UncheckedIOException e) {
        System.out.println("of " + rows + " some are not run: " + e.getMessage());
      }
      List<String> out = new ArrayList<>(a.jvm().out());
      out.addAll(b.jvm().out());
      return judge(Set.copyOf(rows), out, token -> rowOfRequest.getOrDefault(token, "?"));
    }
  }

  private static Map<String, String> runWire(String row, WireNode a, WireNode b) {
    String[] words = row.split(" ", -1);
    // The singleton is on the older of the two.
    WireNode from = words[1].equals("singleton-proxy") ? b : a;
    WireNode to = from == a ? b : a;
    Set<String> before = requests(from);
    from.run(words[0], words[1], to.address(words[0]));
    return requests(from).stream()
        .filter(r -> !before.contains(r))
        .collect(Collectors.toMap(r -> r, r -> row));
  }

  private static Set<String> requests(WireNode node) {
    return requests(node.jvm().out());
  }

  private static Set<String> requests(List<String> out) {
    return out.stream()
        .filter(l -> l.startsWith("@request "))
        .map(l -> l.substring("@request ".length()))
        .collect(Collectors.toSet());
  }

  /**
   * The fate of rows by their output: the finds of handlers do not matter for a row that did not
   * run to its end.
   */
  static Map<String, Verdict> judge(
      Set<String> rows, List<String> out, UnaryOperator<String> rowOf) {
    Set<String> traces =
        requests(out).stream()
            .map(token -> token.substring(token.indexOf('=') + 1))
            .collect(Collectors.toSet());
    Map<String, Verdict> verdicts = new TreeMap<>();
    rows.forEach(row -> verdicts.put(row, Verdict.none(isApart(row))));
    for (String line : out) {
      if (line.startsWith("@seen ")) {
        String[] words = line.split(" ", -1);
        verdicts.computeIfPresent(
            rowOf.apply(words[1]),
            (row, verdict) ->
                verdict.with(words[1].substring(words[1].indexOf('=') + 1), words[2], traces));
      }
    }
    verdicts.replaceAll((row, verdict) -> ended(row, verdict, out));
    return verdicts;
  }

  private static Verdict ended(String row, Verdict verdict, List<String> out) {
    if (out.contains("@done " + row)) {
      return verdict;
    }
    // A node says what it was told, with an address, and a scenario's JVM the row alone.
    Pattern failed =
        Pattern.compile("@failed (?:run %1$s \\S+|%1$s) (.*)".formatted(Pattern.quote(row)));
    return out.stream()
        .map(failed::matcher)
        .filter(Matcher::matches)
        .findFirst()
        .map(m -> verdict.failed(m.group(1)))
        .orElseGet(() -> verdict.found() == 0 ? verdict : verdict.failed("it did not end"));
  }
}
