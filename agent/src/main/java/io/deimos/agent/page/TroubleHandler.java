// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.log.Printable;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.counts.Metric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Answers {@code /api/v1/trouble}: what went wrong, in groups, or one group with its examples. */
final class TroubleHandler {
  static final String PATH = "/api/v1/trouble";

  static final int MOST_GROUPS = 500;

  /** How many classes with restarts, or with unhandled messages, are groups of their own. */
  private static final int MOST_CLASSES = 50;

  private final @Nullable Observer observer;
  private final PageSource source;
  private final @Nullable Nodes nodes;

  /**
   * @param nodes the processes on this page; null where there can be no other
   */
  TroubleHandler(PageSource source, @Nullable Nodes nodes) {
    this.nodes = nodes;
    this.observer = source.observer();
    this.source = source;
  }

  void answer(Request request, Answer answer) throws IOException {
    Observer asked = observer;
    if (asked == null) {
      answer.error(404, "trouble is not kept: deimos.observer.memory=0, or the page is off");
      return;
    }
    List<TroubleGroup> all = groups(asked);
    if (request.path().equals(PATH)) {
      Query query = Query.of(request.query());
      int limit = query.number("limit", MOST_GROUPS, 1, MOST_GROUPS);
      String kind = query.text("kind");
      List<String> words = List.of(query.text("q").toLowerCase(Locale.ROOT).split("\\s+"));
      List<TroubleGroup> found = all.stream().filter(group -> matches(group, kind, words)).toList();
      answer.json(200, json -> TroubleJson.list(json, asked, all, found, limit));
      return;
    }
    String id = request.path().substring(PATH.length() + 1);
    for (TroubleGroup group : all) {
      if (group.id().equals(id)) {
        answer.json(200, json -> TroubleJson.one(json, asked, group));
        return;
      }
    }
    answer.error(
        404, "no such group: " + Printable.shortLine(id) + ". It may have made room for others");
  }

  private static boolean matches(TroubleGroup group, String kind, List<String> words) {
    if (!kind.isEmpty() && !kind.equals(group.kind())) {
      return false;
    }
    String story = group.examples().isEmpty() ? "" : group.examples().get(0).story();
    String text =
        String.join(" ", group.kind(), group.actorClass(), group.messageClass(), group.why(), story)
            .toLowerCase(Locale.ROOT);
    return words.stream().allMatch(text::contains);
  }

  /** What happened, the latest first; then what is only counted. */
  List<TroubleGroup> groups(Observer from) {
    List<TroubleGroup> groups = new ArrayList<>(from.trouble());
    for (String problem : source.problems()) {
      groups.add(TroubleGroup.counted("problem", "", problem, 1, problem, ""));
    }
    if (nodes != null) {
      groups.addAll(NodesHandler.gone(nodes));
    }
    long dropped = Recorder.dropped() + source.spansDropped();
    if (dropped > 0) {
      groups.add(
          TroubleGroup.counted(
              "deimos",
              "",
              "spans_dropped",
              dropped,
              "Spans were lost since rings or the exporter had no room: traces have holes.",
              ""));
    }
    Faults.all().stream()
        .limit(MOST_CLASSES)
        .forEach(
            fault ->
                groups.add(
                    TroubleGroup.counted(
                        "deimos",
                        "",
                        fault.what(),
                        fault.times(),
                        "Deimos failed inside itself; the application is unaffected: "
                            + fault.what(),
                        fault.stack())));
    counted(groups, "quarantine", Metric.QUARANTINES, "Quarantines: ");
    counted(groups, "dropped", Metric.DROPPED, "Messages that were dropped: ");
    counted(groups, "unhandled", Metric.UNHANDLED, "Messages not handled by ");
    ActorKinds.all().stream()
        .filter(kind -> kind.restarted() > 0 && !kind.isSilent())
        .sorted(Comparator.comparingLong(ActorKind::restarted).reversed())
        .limit(MOST_CLASSES)
        .forEach(
            kind ->
                groups.add(
                    TroubleGroup.counted(
                        "restart",
                        kind.className(),
                        "",
                        kind.restarted(),
                        "Supervision has restarted actors of this class after they failed.",
                        "")));
    return groups;
  }

  private static void counted(List<TroubleGroup> to, String kind, Metric metric, String story) {
    metric.tally().read().entrySet().stream()
        .filter(series -> series.getValue()[0] > 0)
        .sorted(Comparator.comparingLong(series -> -series.getValue()[0]))
        .limit(MOST_CLASSES)
        .forEach(
            series -> {
              String value = series.getKey().get(0);
              boolean isClass = metric == Metric.UNHANDLED;
              to.add(
                  TroubleGroup.counted(
                      kind,
                      isClass ? value : "",
                      value,
                      series.getValue()[0],
                      story + value + ".",
                      ""));
            });
  }
}
