// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints clusters with their members, what goes between nodes, and what differs. */
final class ClusterLines {
  private static final int MAX_PROCESSES = 4;

  private final PrintStream out;

  /** Of processes, by id. */
  private final Map<String, String> names = new LinkedHashMap<>();

  private ClusterLines(PrintStream out) {
    this.out = out;
  }

  static void print(Map<String, @Nullable Object> answer, PrintStream out) {
    new ClusterLines(out).print(answer);
  }

  private void print(Map<String, @Nullable Object> answer) {
    for (@Nullable Object process : PlainJson.list(answer.get("processes"))) {
      Map<String, @Nullable Object> of = PlainJson.object(process);
      names.put(
          String.valueOf(of.get("id")),
          String.format(
              Locale.ROOT, "%s %.0f", ActorTable.printable(of.get("service")), number(of, "pid")));
    }
    List<@Nullable Object> clusters = PlainJson.list(answer.get("clusters"));
    if (clusters.isEmpty()) {
      out.println(
          "no process is in a cluster, as far as is known: deimos.metrics.gauges.enabled may be"
              + " off");
    }
    for (@Nullable Object cluster : clusters) {
      cluster(PlainJson.object(cluster));
    }
    for (@Nullable Object link : PlainJson.list(answer.get("links"))) {
      link(PlainJson.object(link));
    }
    if (number(answer, "linksLeftOut") > 0) {
      out.printf(Locale.ROOT, "and %.0f more links%n", number(answer, "linksLeftOut"));
    }
    for (@Nullable Object process : PlainJson.list(answer.get("processes"))) {
      clock(PlainJson.object(process));
    }
    for (@Nullable Object difference : PlainJson.list(answer.get("differences"))) {
      difference(PlainJson.object(difference));
    }
  }

  private void cluster(Map<String, @Nullable Object> cluster) {
    List<@Nullable Object> members = PlainJson.list(cluster.get("members"));
    out.printf(
        "cluster %s, %d %s%n",
        ActorTable.printable(cluster.get("system")),
        members.size(),
        members.size() == 1 ? "member" : "members");
    for (@Nullable Object member : members) {
      member(PlainJson.object(member));
    }
    for (@Nullable Object singleton : PlainJson.list(cluster.get("singletons"))) {
      Map<String, @Nullable Object> of = PlainJson.object(singleton);
      String places = texts(of.get("addresses"));
      out.printf(
          "  singleton %s at %s%n",
          ActorTable.printable(of.get("name")), places.isEmpty() ? "no known node" : places);
    }
    for (@Nullable Object type : PlainJson.list(cluster.get("sharding"))) {
      Map<String, @Nullable Object> of = PlainJson.object(type);
      for (@Nullable Object region : PlainJson.list(of.get("regions"))) {
        Map<String, @Nullable Object> at = PlainJson.object(region);
        out.printf(
            Locale.ROOT,
            "  %s at %s: %.0f shards, %.0f entities, %.0f in the largest, %.0f messages wait%n",
            ActorTable.printable(of.get("type")),
            ActorTable.printable(at.get("address")),
            number(at, "shards"),
            number(at, "entities"),
            number(at, "largest"),
            number(at, "buffered"));
      }
    }
  }

  private void member(Map<String, @Nullable Object> member) {
    List<String> said = new ArrayList<>();
    said.add(String.valueOf(member.get("status")));
    if (Boolean.TRUE.equals(member.get("leader"))) {
      said.add("leader");
    }
    String leads = texts(member.get("leads"));
    if (!leads.isEmpty()) {
      said.add("leads " + leads);
    }
    String roles = texts(member.get("roles"));
    if (!roles.isEmpty()) {
      said.add("roles " + roles);
    }
    said.add("dc " + member.get("dataCenter"));
    String process = member.get("process") == null ? null : names.get(member.get("process"));
    said.add(process == null ? "not on this page" : process);
    String from = texts(member.get("unreachableFrom"));
    if (!from.isEmpty()) {
      said.add("UNREACHABLE from " + from);
    }
    for (@Nullable Object other : PlainJson.list(member.get("seenAs"))) {
      Map<String, @Nullable Object> of = PlainJson.object(other);
      said.add(of.get("status") + " to " + of.get("by"));
    }
    out.printf(
        "  %s  %s%n",
        ActorTable.printable(member.get("address")), ActorTable.printable(String.join(", ", said)));
  }

  private void link(Map<String, @Nullable Object> link) {
    List<String> said = new ArrayList<>();
    if (link.get("messagesPerSecond") != null) {
      said.add(
          String.format(
              Locale.ROOT,
              "%.1f messages and %.0f bytes a second",
              number(link, "messagesPerSecond"),
              number(link, "bytesPerSecond")));
    }
    said.add(String.format(Locale.ROOT, "%.0f wait", number(link, "queued")));
    if (number(link, "dropped") > 0) {
      said.add(String.format(Locale.ROOT, "%.0f lost", number(link, "dropped")));
    }
    if (link.get("batchMean") != null) {
      said.add(String.format(Locale.ROOT, "%.1f in a batch", number(link, "batchMean")));
    }
    if (link.get("tracedP50Nanos") != null) {
      said.add("p50 " + ActorTable.duration(link.get("tracedP50Nanos")) + " in traces");
    }
    if (link.get("heartbeatP99Nanos") != null) {
      said.add("heartbeats p99 " + ActorTable.duration(link.get("heartbeatP99Nanos")));
    }
    Object from = link.get("from");
    out.printf(
        "%s -> %s: %s%n",
        ActorTable.printable(from == null ? names.get(link.get("fromProcess")) : from),
        ActorTable.printable(link.get("to")),
        String.join(", ", said));
  }

  /** Of one whose clock is not the page's for sure. */
  private void clock(Map<String, @Nullable Object> process) {
    double ahead = number(process, "clockOffsetNanos");
    double error = number(process, "clockErrorNanos");
    if (process.get("clockOffsetNanos") != null && Math.abs(ahead) > error) {
      out.printf(
          "the clock of %s is %s %s the page's, +- %s%n",
          names.get(String.valueOf(process.get("id"))),
          ActorTable.duration(Math.abs(ahead)),
          ahead < 0 ? "behind" : "ahead of",
          ActorTable.duration(error));
    }
  }

  private void difference(Map<String, @Nullable Object> difference) {
    out.println(ActorTable.printable(difference.get("what")) + " differs:");
    for (@Nullable Object value : PlainJson.list(difference.get("values"))) {
      Map<String, @Nullable Object> of = PlainJson.object(value);
      List<@Nullable Object> processes = PlainJson.list(of.get("processes"));
      List<String> some = new ArrayList<>();
      for (@Nullable Object process :
          processes.subList(0, Math.min(MAX_PROCESSES, processes.size()))) {
        some.add(String.valueOf(names.get(String.valueOf(process))));
      }
      int more = processes.size() - some.size();
      out.printf(
          "  %s: %s%s%n",
          of.get("value") == null ? "(the default)" : ActorTable.printable(of.get("value")),
          String.join(", ", some),
          more == 0 ? "" : " and " + more + " more");
    }
  }

  private static String texts(@Nullable Object list) {
    List<String> texts = new ArrayList<>();
    for (@Nullable Object text : PlainJson.list(list)) {
      texts.add(ActorTable.printable(text));
    }
    return String.join(", ", texts);
  }

  private static double number(Map<String, @Nullable Object> of, String name) {
    @Nullable Object value = of.get(name);
    return value instanceof Double ? (Double) value : 0;
  }
}
