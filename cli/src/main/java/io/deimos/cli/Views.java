// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How the answers of a page are printed. Their fields are those of docs/page-api.md. */
final class Views {
  private static final double NEARLY_ALL = 0.9;
  private static final double ALL_BUT_ROUNDED = 0.995;
  private static final int MAX_SERIES = 3;
  private static final int MAX_PROCESSES = 4;
  private static final int MAX_ENTRIES = 20;
  private static final int MAX_CAUSES = 10;
  private static final List<String> TIMES =
      List.of(
          "lockNanos",
          "ioNanos",
          "sleepNanos",
          "parkNanos",
          "gcNanos",
          "restNanos",
          "allocatedBytes");

  private Views() {}

  static void actors(Json answer, Lines out) {
    List<Json> actors = answer.each("actors");
    for (Json actor : actors) {
      actor.put("age", (answer.number("nowMillis") - actor.number("madeAtMillis")) / 1000);
    }
    out.table(
        actors,
        "MAILBOX\tMSG/S\tBUSY\tWAIT P99\tFAILED\tRESTARTS\tAGE\tCLASS\tPATH",
        """
        {mailbox}\t{#ratePerSecond:.1}\t{#busyShare:%}\t{waitP99Nanos:ns}\t{#failures}\t{#restarts}\t\
        {age:age}\t{class:class}\t{path}""",
        7);
    out.of(answer, "{#actors.size} of {#total} actors, of {#living} that live");
    Json known = answer.at("known");
    recorded(known, out);
    if (known.number("mailboxes") == 0) {
      out.text("Mailboxes are not looked into.");
    } else if (known.number("mailboxes") < answer.number("living")) {
      out.of(known, "Only {mailboxes} mailboxes are looked into.");
    }
  }

  /** Says so if the figures are of a part of all messages. */
  private static void recorded(Json of, Lines out) {
    if (of.has("recordedShare") && of.number("recordedShare") < NEARLY_ALL) {
      out.of(
          of,
          """
          Rates, busy shares, waits and failures are of the {recordedShare:share} of messages that \
          were recorded.""");
    }
  }

  static void trouble(Json answer, Lines out) {
    out.each(
        answer.each("groups"),
        """
        {#count:8}  {kind:-11}  {latest.story|story|why}
        [                      [ last {lastMillis:s}][ trace {latest.traceId|traceId}]\
        [ actor {latest.actorPath|actorPath}]]""");
    out.of(
        answer,
        answer.each("groups").isEmpty()
            ? "nothing has gone wrong, or nothing matches"
            : "{groups.size} of {#total} kinds of trouble");
    out.of(answer, "[{+groupsLetGo} older ones had to make room]");
  }

  /** As a log has them: the latest last. */
  static void logs(Json answer, Lines out) {
    List<Json> records = new ArrayList<>(answer.each("records"));
    Collections.reverse(records);
    out.each(
        records,
        """
        {atMillis:ms}  {level:-7}  {text}[  {thrown}]
        [                                   [ {service}][ {actorPath|logger}][ trace {traceId}]]""");
    out.of(
        answer,
        records.isEmpty()
            ? answer.is("kept", false)
                ? "no log records are kept: set deimos.content.logs to a level, such as info"
                : "no log record in memory matches"
            : "{records.size} of {#total} log records[ since {sinceMillis:s}]");
    out.of(answer, "[{+leftOut} came too fast to be kept]");
  }

  static void inside(Json answer, Lines out) {
    out.each(
        answer.each("entries"), "{kind:-15}  {name|''}[  {message}][  {nanos:ns}][  {detail}]");
    said(answer, "state", "{said}", out);
    said(answer, "notRead", "{said}", out);
    if (answer.is("waiting", true)) {
      out.text("It still processes a message; ask again for the rest.");
    } else if (!answer.has("state")) {
      out.text("Its state is not shown: deimos.content.state names no class of it.");
    }
  }

  /** Prints a list of texts. */
  private static void said(Json answer, String list, String template, Lines out) {
    if (answer.fields().get(list) instanceof List<?> texts) {
      texts.forEach(
          text -> {
            answer.put("said", text);
            out.of(answer, template);
          });
    }
  }

  static void where(Json answer, Lines out) {
    out.each(
        answer.each("matches"),
        """
        {fate:-11}  {story}
        [            [ at {atMillis:ms}][ trace {traceId}][ says {content}]]""");
    answer.put("told", counts(answer.at("fates"), "%2$.0f %1$s"));
    out.of(
        answer,
        answer.each("matches").isEmpty()
            ? "never seen, in what was looked at"
            : "{matches.size} of {#total}: {told}");
    out.of(
        answer.at("looked"),
        """
        looked at: {#records} processed messages[ since {sinceMillis:s}], {#waiting} that wait at \
        {#actors} actors, {#asks} open asks, {#troubles} examples of trouble, {#traces} traces""");
    said(answer, "notLookedAt", "not looked at: {said}", out);
  }

  /** Names and how often. */
  private static List<String> counts(Json of, String form) {
    return of.fields().keySet().stream()
        .map(name -> String.format(Locale.ROOT, form, name.replace('_', ' '), of.number(name)))
        .toList();
  }

  static void check(Json answer, Lines out) {
    for (Json finding : answer.each("findings")) {
      out.of(
          finding,
          """
          {severity}, {sure}[, since {+sinceMillis:s}]: {rule}
            {says}
            {costs}
            {advice}""");
    }
    out.of(
        answer,
        """
        {#findings.size} findings of {#rules} rules[, {+ignored} more are ignored]\
        [, {+findingsLeftOut} more are left out][, {+failed} rules failed]
        [{notLookedAt}]""");
  }

  static void threads(Json answer, Lines out) {
    List<Json> pools = answer.each("dispatchers");
    for (Json pool : pools) {
      out.of(
          pool,
          pool.has("name")
              ? "{system} {name}: {active|'?'} of {parallelism|'?'} threads busy, {queued|'?'} tasks"
                  + " wait[, one for {+waitNanos:.1sec}]"
              : "threads of no dispatcher");
      out.each(
          pool.each("threads"),
          """
            {name}  {state}[  {work.messageClass} in {work.actorPath}[ for {work.forNanos:.3sec}]\
          [ trace {work.traceId}]]""");
    }
    if (pools.isEmpty()) {
      out.text("no dispatcher is known: deimos.metrics.gauges.enabled may be off");
    }
    out.of(answer, "[and {+threadsLeftOut} more threads]");
  }

  static void map(Json answer, Lines out) {
    for (Json node : answer.each("nodes")) {
      String name = node.text("name");
      boolean isClass = node.is("kind", "class");
      out.names.put(
          node.text("key"),
          isClass ? name.substring(name.lastIndexOf('.') + 1).replace('$', '.') : name);
    }
    out.text("   MSG/S  WAIT P99  FAILED  SLOWEST TRACE                     FROM -> TO: MESSAGES");
    out.each(
        answer.each("edges"),
        """
        {#ratePerSecond:8.1}  {waitP99Nanos:8ns}  {#failures:6}  {slowest.traceId:-32}  {from@} -> \
        {to@}: {classes.class|'':nested}""");
    out.of(
        answer,
        """
        {#edges.size} edges, {#messages} messages of the last {#seconds} s
        [{+edgesLeftOut} more edges are left out; --limit shows more]""");
    recorded(answer, out);
  }

  static void nodes(Json answer, Lines out) {
    out.each(
        answer.each("nodes"),
        """
        {service} {#pid}  {state} since {#sinceMillis:s}[{?startedAtMillis}, {#messages} messages, \
        {#actorsLive} actors][, {+spansReceived} spans here][, {+spansNotSent} NOT SENT]\
        [, {+troubleLeftOut} kinds of trouble left out]""");
    if (answer.has("otlp")) {
      out.of(
          answer.at("otlp"),
          """
          OTLP: {#requests} requests with {#spans} spans, {#spansTurnedAway} of them not kept; \
          {#logs} log records; {#notKept} data points, none kept; {#refused} refused
          [      last at {#lastRefusedMillis:s}, {lastRefused}]""");
    }
  }

  static void top(Json answer, Lines out) {
    boolean begins = answer.at("hour").is("seconds", List.of());
    out.of(
        answer.at("hour"),
        begins
            ? "the first minute is not over"
            : """
            last minute: {#rate.last:.1} messages a second, processing p99 {processingP99.last:ns}, \
            wait p99 {waitP99.last:ns}
                         {#actorsLive.last} actors, {#heapBytes.last:MiB} of heap at most
            last {seconds.size} min:  {#failures.sum} failures, {#askTimeouts.sum} ask time-outs, \
            {#deadLetters.sum} dead letters""");
    Json outlook = answer.at("outlook");
    outlook.each("growing").forEach(one -> out.of(one, "{says}"));
    out.of(outlook.at("heap"), "[If it goes on so, {says}.]");
    for (Json stream : answer.each("transport")) {
      stream.put("endings", counts(stream.at("reasons"), "%s %.0f"));
      out.of(
          stream,
          """
          to {peer}, {stream}: {#batches} batches, {#length.mean:.1} messages and {#bytes.mean} bytes \
          each, flush p99 {flushNanos.p99:ns}
            ended by {endings}
            {advice}""");
    }
    for (Json metric : answer.each("metrics")) {
      String name = metric.text("name").replaceAll("^pekko\\.|\\.count$", "");
      List<Json> series = metric.each("series");
      series.stream()
          .limit(MAX_SERIES)
          .takeWhile(one -> one.number("value") != 0) // the greatest are first
          .forEach(
              one -> {
                one.put("name", name.replaceAll("[._]", " "));
                out.of(one, "{value:12any}  {name}[  {of:words}][  p99 {p99Nanos:ns}]");
              });
    }
  }

  static void cluster(Json answer, Lines out) {
    List<Json> processes = answer.each("processes");
    for (Json process : processes) {
      out.names.put(
          process.text("id"),
          String.format(Locale.ROOT, "%s %.0f", process.text("service"), process.number("pid")));
    }
    if (answer.each("clusters").isEmpty()) {
      out.text(
          "no process is in a cluster, as far as is known: deimos.metrics.gauges.enabled may be"
              + " off");
    }
    answer.each("clusters").forEach(one -> one(one, out));
    out.each(
        answer.each("links"),
        """
        {from|fromProcess@} -> {to}: [{messagesPerSecond:.1} messages and {#bytesPerSecond} bytes a \
        second, ]{#queued} wait[, {+dropped} lost][, {batchMean:.1} in a batch][, p50 \
        {tracedP50Nanos:ns} in traces][, heartbeats p99 {heartbeatP99Nanos:ns}]""");
    out.of(answer, "[and {+linksLeftOut} more links]");
    processes.forEach(process -> clock(process, out));
    for (Json difference : answer.each("differences")) {
      out.of(difference, "{what} differs:");
      for (Json value : difference.each("values")) {
        List<?> all = value.fields().get("processes") instanceof List<?> list ? list : List.of();
        value.put("more", (double) all.size() - MAX_PROCESSES);
        value.put("some", all.subList(0, Math.min(MAX_PROCESSES, all.size())));
        out.of(value, "  {value|'(the default)'}: {some@}[ and {+more} more]");
      }
    }
  }

  private static void one(Json cluster, Lines out) {
    int members = cluster.each("members").size();
    out.of(cluster, "cluster {system}, {#members.size} " + (members == 1 ? "member" : "members"));
    for (Json member : cluster.each("members")) {
      member.put(
          "others",
          member.each("seenAs").stream()
              .map(other -> ", " + other.text("status") + " to " + other.text("by"))
              .collect(Collectors.joining()));
      out.of(
          member,
          """
            {address}  {status}[{?leader}, leader][, leads {leads}][, roles {roles}], dc {dataCenter}, \
          {process@|'not on this page'}[, UNREACHABLE from {unreachableFrom}]{others}""");
    }
    out.each(cluster.each("singletons"), "  singleton {name} at {addresses|'no known node'}");
    for (Json type : cluster.each("sharding")) {
      for (Json region : type.each("regions")) {
        region.put("type", type.text("type"));
        out.of(
            region,
            """
              {type} at {address}: {#shards} shards, {#entities} entities, {#largest} in the largest, \
            {#buffered} messages wait""");
      }
    }
  }

  /** Prints the clock of a process if it is not the page's for sure. */
  private static void clock(Json process, Lines out) {
    double ahead = process.number("clockOffsetNanos");
    if (Math.abs(ahead) > process.number("clockErrorNanos")) {
      process.put("off", Math.abs(ahead));
      process.put("way", ahead < 0 ? "behind" : "ahead of");
      out.of(process, "the clock of {id@} is {off:ns} {way} the page's, +- {#clockErrorNanos:ns}");
    }
  }

  static void profile(Json answer, Lines out) {
    Map<String, String> kinds =
        Map.of(
            "unrecorded", "(other messages without a record)",
            "dispatcher", "(dispatchers, between messages)",
            "other", "(other threads)");
    out.names.putAll(kinds);
    List<Json> rows = answer.each("rows");
    List<Json> causes = new ArrayList<>();
    for (Json row : rows) {
      String what =
          row.has("part")
              ? "(Pekko's own: {part})  in {actorClass}"
              : kinds.containsKey(row.text("kind")) ? "{kind@}" : "{messageClass}  in {actorClass}";
      row.put("what", out.filled(row, what));
      TIMES.forEach(time -> row.put(time, row.number(time) == 0 ? null : row.number(time)));
      for (Json cause : row.each("waitsFor")) {
        cause.put("message", row.text("what"));
        causes.add(cause);
      }
    }
    out.table(
        rows,
        "CPU\tSAMPLES\tTIME\tLOCK\tI/O\tSLEEP\tPARKED\tGC\tREST\tMIB\tMESSAGE  ACTOR",
        """
        {#share:%}\t{#samples}\t{wallNanos:ns}\t{lockNanos:ns}\t{ioNanos:ns}\t{sleepNanos:ns}\t\
        {parkNanos:ns}\t{gcNanos:ns}\t{restNanos:ns}\t{allocatedBytes:mib}\t{what}""",
        10);
    causes.sort(Comparator.comparingDouble(cause -> -cause.number("nanos")));
    out.each(
        causes.subList(0, Math.min(MAX_CAUSES, causes.size())),
        "waited {nanos:ns} for {on}: {message}");
    out.of(
        answer,
        """
        {#samples} samples ({event}) of {#seconds} s
        [times of {+dividedSeconds} s, with waits of {waitNanos:ns} and more]""");
    out.of(
        answer.at("unknown"),
        """
        [{+nearest} samples lie between records and count to the nearest message]
        [{+withoutStack} samples had no stack that could be read]
        [{+lost} samples were lost: there was no room for them]
        [{+stacksCut} stacks end early: there was no room for all frames]
        [{+recordsLost} records went before their samples had come]
        [{+waitsLeftOut} waits were left out: more than deimos.profile.waits-per-second]""");
    out.text("Native code is not sampled.");
    double share = answer.number("recordedShare");
    if (share > 0 && share < ALL_BUT_ROUNDED) {
      out.of(
          answer,
          """
          Only {recordedShare:share} of the messages were recorded; the classes share what these \
          took.""");
    }
  }

  static void control(Json answer, Lines out) {
    List<Json> changes = answer.each("changes");
    out.text(changes.isEmpty() ? "Nothing is changed from the page or from here." : "Changed now:");
    for (Json change : changes) {
      change.put("change", change.text("key") + "=" + change.text("value"));
      change.put("left", Math.ceil(change.number("leftMillis") / 1000));
      String end = change.has("leftMillis") ? "for {left} s more" : "until it is ended";
      out.of(change, "  {preset|change}, " + end + ", by {by}");
    }
    out.text("Presets:");
    for (Json preset : answer.each("presets")) {
      out.of(preset, "  {name}  {does}");
      preset.each("settings").stream()
          .filter(setting -> !setting.text("now").equals(setting.text("then")))
          .forEach(setting -> out.of(setting, "    {key} from {now} to {then}"));
      out.of(preset, "[    cannot begin: {refused}]");
    }
    List<Json> history = answer.each("history");
    out.text(
        history.isEmpty()
            ? "Nobody has changed anything since the start."
            : "Changes, and who made them:");
    for (Json entry : history.stream().limit(MAX_ENTRIES).toList()) {
      out.of(entry, "  {#atMillis:s}  {by}: {what}");
      out.each(entry.each("settings"), "    {key} from {from} to {to}");
    }
  }
}
