// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Reply;
import io.deimos.agent.log.Log;
import io.deimos.agent.log.Printable;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.processes.NodesHandler;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.hooks.EventHooks;
import io.deimos.recorder.trouble.StuckWatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers {@code /api/v1/trouble}: what went wrong, in groups, or one group with its examples. */
final class TroubleHandler {
  static final String PATH = "/api/v1/trouble";

  static final int MAX_GROUPS = 500;

  /** How many classes with restarts, or with unhandled messages, are groups of their own. */
  private static final int MAX_CLASSES = 50;

  private static final List<String> KINDS =
      List.of(
          "failure",
          "ask_timeout",
          "ask_failed",
          "dead_letter",
          "stuck",
          "starvation",
          "cluster",
          "restart",
          "unhandled",
          "dropped",
          "quarantine",
          "node",
          "problem",
          "deimos");

  private static final Parameter<String> KIND =
      Parameter.oneOf("kind", "", KINDS, "Only groups of this kind.");
  private static final Parameter<List<SearchTerm>> WORDS =
      Parameter.words(
          "q",
          "Words with spaces between them. Each has to be part of the kind, the classes, the reason"
              + " or the latest story.");
  private static final Parameter<String> NODE =
      Parameter.text("node", "Only of the process with this id; without it, of all on this page.");
  private static final Parameter<Integer> LIMIT =
      Parameter.number("limit", MAX_GROUPS, 1, MAX_GROUPS, "How many groups.");

  static final Route LIST =
      Route.at(
              PATH,
              "trouble",
              "Incidents in groups",
              "Lists what went wrong, in groups: failures, asks without an answer, dead letters,"
                  + " stuck messages, starving dispatchers, restarts, quarantines, refused"
                  + " settings, lost spans. However often the same happened in the same class, it"
                  + " is one group. The place to begin when something does not work.")
          .note(
              """
              | `kind` | counts |
              |---|---|
              | `failure` | messages whose processing threw, by actor class, message class, exception |
              | `ask_timeout` | asks without an answer in time, by what became of the request |
              | `ask_failed` | asks that ended with a failure |
              | `dead_letter` | by reason, without those that Pekko suppresses |
              | `stuck` | messages that took longer than `deimos.stuck.threshold`, with the stack |
              | `starvation` | dispatchers whose tasks waited longer than `deimos.starvation.threshold`, with the stacks of what held the threads |
              | `cluster` | what the processes on this page say of their cluster that cannot all be right: a singleton or shard on two nodes, different leaders or members, clusters that should be one; each as often as it has begun |
              | `dropped` | messages that full mailboxes refused, with examples; those that queues refused are only counted |
              | `restart`, `unhandled`, `quarantine` | only counted |
              | `node` | processes that have left this page, each with its end |
              | `problem` | lines of Deimos on standard error: settings that it refused, features that are off |
              | `deimos` | spans that were lost, and failures of Deimos itself |\
              """)
          .note(
              "For messages without a record, at most 20 a second of each kind are kept; the rest"
                  + " is in the group whose `why` is `only counted`. A stuck message counts once,"
                  + " and its example is renewed while it lasts. An ask that timed out and is"
                  + " answered later says so, with how late. At most 256 groups are kept, in a"
                  + " sixteenth of `deimos.observer.memory`. Beyond that, the kind with the most"
                  + " groups loses the one that has been quiet for longest; `only counted` has what"
                  + " it counted.")
          .asks(KIND, WORDS, LIMIT, NODE)
          .answers(TroubleJson.LIST);

  static final Route ONE =
      Route.at(
              PATH + "/{id}",
              "trouble_group",
              "One group of trouble",
              "Tells the last examples of one group of trouble: the story in words, actor, sender,"
                  + " trace, stack, and the messages that the actor had processed before.")
          .named("The id of a group, as the list of trouble has it.")
          .answers(TroubleJson.ONE);

  private final @Nullable Observer observer;
  private final PageSource source;
  private final TraceStore store;
  private final @Nullable Nodes nodes;

  /**
   * @param nodes the processes on this page; null where there can be no other
   */
  TroubleHandler(PageSource source, TraceStore store, @Nullable Nodes nodes) {
    this.store = store;
    this.nodes = nodes;
    this.observer = source.observer();
    this.source = source;
  }

  void list(Call call, Answer answer) throws IOException {
    if (observer == null && nodes == null) {
      notKept(answer);
      return;
    }
    Query query = call.query();
    int limit = LIMIT.of(query);
    String kind = KIND.of(query);
    List<SearchTerm> words = WORDS.of(query);
    String node = NODE.of(query);
    boolean own = isOwn(node);
    List<TroubleGroup> all = groups(node);
    List<TroubleGroup> found = all.stream().filter(group -> matches(group, kind, words)).toList();
    answer.json(
        200,
        json -> TroubleJson.list(json, own ? observer : null, stuckNow(node), all, found, limit));
  }

  private static void notKept(Answer answer) {
    answer.error(404, "trouble is not kept: deimos.observer.memory=0, or the page is off");
  }

  void one(Call call, Answer answer) throws IOException {
    if (observer == null && nodes == null) {
      notKept(answer);
      return;
    }
    String id = call.id();
    for (TroubleGroup group : groups("")) {
      if (TroubleJson.id(group).equals(id)) {
        Reply whole = askedOf(group, answer.takesGzip());
        if (whole == null) {
          answer.json(200, json -> TroubleJson.one(json, observer, group));
        } else {
          answer.passedOn(whole);
        }
        return;
      }
    }
    answer.error(
        404, "no such group: " + Printable.shortLine(id) + ". It may have made room for others");
  }

  /** As the process itself tells it, which knows more; null if it cannot be asked. */
  private @Nullable Reply askedOf(TroubleGroup group, boolean gzip) {
    if (nodes == null || group.node().isEmpty()) {
      return null;
    }
    Reply reply = nodes.ask(group.node(), PATH + "/" + group.id(), gzip, false);
    return reply != null && reply.status() == 200 ? reply : null;
  }

  /**
   * The trouble here and in other processes, the latest first; then what is only counted.
   *
   * @param node only of this one; empty for all
   */
  private List<TroubleGroup> groups(String node) {
    List<TroubleGroup> groups = isOwn(node) ? groups() : new ArrayList<>();
    if (nodes != null && !nodes.id().equals(node)) {
      nodes.trouble().stream()
          .filter(group -> node.isEmpty() || group.node().equals(node))
          .forEach(groups::add);
      groups.sort(Comparator.comparingLong(TroubleGroup::lastEpochNanos).reversed());
    }
    return groups;
  }

  /** Whether what happened here is asked for. */
  private boolean isOwn(String node) {
    return node.isEmpty() || nodes == null || nodes.id().equals(node);
  }

  /** How many messages are stuck in one process, or in all of this page. */
  private long stuckNow(String node) {
    long here = isOwn(node) ? StuckWatch.now() : 0;
    if (nodes == null) {
      return here;
    }
    return here
        + nodes.cards().stream()
            .filter(card -> node.isEmpty() || card.id().equals(node))
            .mapToLong(card -> card.counts().stuckNow())
            .sum();
  }

  private static boolean matches(TroubleGroup group, String kind, List<SearchTerm> words) {
    if (!kind.isEmpty() && !kind.equals(group.kind())) {
      return false;
    }
    String story = group.examples().isEmpty() ? "" : group.examples().get(0).story();
    String text =
        String.join(
            " ", group.kind(), group.actorClass(), group.messageClass(), group.why(), story);
    return words.stream().allMatch(word -> word.isIn(text));
  }

  /** The trouble in this process, the latest first; then what is only counted. */
  List<TroubleGroup> groups() {
    List<TroubleGroup> groups =
        observer == null ? new ArrayList<>() : new ArrayList<>(observer.trouble());
    for (String problem : source.problems()) {
      groups.add(TroubleGroup.counted("problem", "", problem, 1, problem, ""));
    }
    if (nodes != null) {
      groups.addAll(NodesHandler.gone(nodes));
    }
    lost(
        groups,
        "spans_dropped",
        Recorder.dropped() + source.spansDropped(),
        "Spans were lost since rings or the exporter had no room: traces have holes.");
    lost(
        groups,
        "spans_not_sent",
        store.spansNotSent(),
        "Spans of kept traces did not get to the page that this process has joined, since it takes"
            + " no more: traces there are in part.");
    lost(
        groups,
        "traces_not_asked_for",
        store.tracesNotAskedFor(),
        "More traces were kept at once than other processes could be asked for: their parts of"
            + " these may lack here.");
    lost(
        groups,
        "lines_left_out",
        Log.leftOut(),
        "Lines of Deimos were left out of standard error, which took none: nobody reads it.");
    Faults.all().stream()
        .limit(MAX_CLASSES)
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
        .limit(MAX_CLASSES)
        .forEach(kind -> groups.add(TroubleGroup.restarts(kind.className(), kind.restarted())));
    return groups;
  }

  private static void lost(List<TroubleGroup> to, String why, long count, String story) {
    if (count > 0) {
      to.add(TroubleGroup.counted("deimos", "", why, count, story, ""));
    }
  }

  private static void counted(List<TroubleGroup> to, String kind, Metric metric, String story) {
    metric.tally().read().entrySet().stream()
        .filter(series -> series.getValue()[0] > 0)
        .sorted(Comparator.comparingLong(series -> -series.getValue()[0]))
        .limit(MAX_CLASSES)
        .forEach(
            series -> {
              String value = series.getKey().get(0);
              boolean isClass = metric == Metric.UNHANDLED;
              long told =
                  value.equals(EventHooks.MAILBOX_FULL)
                      ? to.stream()
                          .filter(group -> group.kind().equals(kind) && group.lastEpochNanos() != 0)
                          .mapToLong(TroubleGroup::count)
                          .sum()
                      : 0; // by groups that know the receivers
              if (series.getValue()[0] <= told) {
                return;
              }
              to.add(
                  TroubleGroup.counted(
                      kind,
                      isClass ? value : "",
                      value,
                      series.getValue()[0] - told,
                      story + value + ".",
                      ""));
            });
  }
}
