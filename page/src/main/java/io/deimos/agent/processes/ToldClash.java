// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Where;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.processes.ClashFinder.Claim;
import io.deimos.agent.processes.ClashFinder.Topic;
import io.deimos.agent.rules.cluster.Clash;
import io.deimos.recorder.base.Texts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A contradiction that has lasted, in words, for Trouble and for the rules. It stays when it is
 * over, and says for how long it was so. Belongs to one thread at a time.
 */
final class ToldClash {
  private static final int MAX_WITNESSES = 4_000;
  private static final String KIND = "cluster";
  private static final long NANOS = 1_000_000;

  private final Topic topic;
  private long times;
  private long firstMillis;
  private long sinceMillis;
  private long untilMillis = Long.MIN_VALUE;
  private Where where = Where.HERE;
  private String says = "";
  private String witnesses = "";

  ToldClash(Topic topic) {
    this.topic = topic;
  }

  /** Whether it is so now. */
  boolean isSo() {
    return untilMillis == 0;
  }

  /** It is so, for the first time or again. */
  void say(List<Held> all) {
    if (!isSo()) {
      sinceMillis = all.stream().mapToLong(Held::sinceMillis).min().orElse(0);
      firstMillis = times++ == 0 ? sinceMillis : firstMillis;
      untilMillis = 0;
    }
    where = where(all.get(0).claims().get(0).address());
    says = sentence(all);
    witnesses = witnesses(all);
  }

  void end(long nowMillis) {
    if (isSo()) {
      untilMillis = nowMillis;
    }
  }

  Clash clash() {
    return new Clash(topic.kind(), where, says, sinceMillis);
  }

  /** As an incident; the witnesses stand where others have a stack. */
  TroubleGroup group() {
    String lasted = Figures.time((untilMillis - sinceMillis) * NANOS);
    String over = isSo() ? "" : " It was so for " + lasted + ", until " + at(untilMillis) + '.';
    return new TroubleGroup(
        KIND + '-' + Integer.toHexString(topic.hashCode()),
        "",
        new TroubleGroup.Cause(KIND, "", "", topic.name()),
        times,
        firstMillis * NANOS,
        (isSo() ? sinceMillis : untilMillis) * NANOS,
        List.of(
            new TroubleGroup.Example(
                sinceMillis * NANOS, says + over, where.actor(), "", 0, 0, 0, witnesses)));
  }

  private boolean isOfSingleton() {
    return topic.name().startsWith("/");
  }

  private Where where(String address) {
    String path = (isOfSingleton() ? "" : "/system/sharding/") + topic.name();
    return topic.kind() == Clash.Kind.ALIVE_TWICE
        ? Where.actor(address.replaceFirst("@.*", "") + path, "")
        : Where.peer(address);
  }

  private String sentence(List<Held> all) {
    return switch (topic.kind()) {
          case ALIVE_TWICE ->
              isOfSingleton()
                  ? "The singleton "
                      + topic.name()
                      + " runs on several nodes at once: "
                      + nodes(all)
                  : "Shards of "
                      + topic.name()
                      + " are alive on several nodes at once: "
                      + ClashFinder.names(all.stream().map(one -> one.topic().part()).toList())
                      + "; on "
                      + nodes(all);
          case VIEWS_DIFFER ->
              "Members of the cluster " + topic.name() + " do not agree: " + sides(all);
          case APART ->
              "Clusters "
                  + topic.name()
                  + " that look for each other, or were one, have no member in common: "
                  + sides(all);
        }
        + '.';
  }

  private static String nodes(List<Held> all) {
    TreeSet<String> nodes = new TreeSet<>();
    all.forEach(one -> one.claims().forEach(claim -> nodes.add(claim.address())));
    return ClashFinder.names(nodes);
  }

  /** The words of one node of each side. */
  private static String sides(List<Held> all) {
    Map<String, String> ofSides = new LinkedHashMap<>();
    for (Held one : all) {
      for (Claim claim : one.claims()) {
        ofSides.putIfAbsent(
            one.topic().part() + claim.side(),
            ClashFinder.place(claim.address()) + ' ' + claim.says());
      }
    }
    return String.join("; ", ofSides.values());
  }

  /** The words of each node, and since when it has been heard to say so. */
  private static String witnesses(List<Held> all) {
    List<String> lines = new ArrayList<>();
    for (Held one : all) {
      String of = one.topic().kind() == Clash.Kind.ALIVE_TWICE ? ": " + one.topic().id() : "";
      for (Claim claim : one.claims()) {
        String place = ClashFinder.place(claim.address());
        String since = at(one.sinceMillis(claim));
        lines.add(
            "since " + since + " " + claim.process() + " at " + place + " " + claim.says() + of);
      }
    }
    return Texts.cut(String.join("\n", lines), MAX_WITNESSES);
  }

  private static String at(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
