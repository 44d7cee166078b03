// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.report;

import io.deimos.agent.nodes.Node;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.page.PageServer;
import io.deimos.agent.store.TraceStore;
import io.deimos.pekko.WovenAhead;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.HookReport;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.housekeeping.Drainer;
import io.deimos.recorder.housekeeping.Memory;
import io.deimos.recorder.trace.TraceGuard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The summary that {@code deimos.report.file} asks for, one JSON object written when the JVM ends.
 * While the JVM runs it notes each second how many actors are alive, since at the end none is.
 */
public final class RunReport {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final String named;
  private final Path file;
  private final AgentState state;
  private final @Nullable PageServer page;
  private final Consumer<String> problems;
  private volatile long actorsLive;
  private volatile boolean ending;
  private volatile @Nullable List<Node> nodesAtTheEnd;

  /**
   * @param named the file, as the setting names it
   * @param page whose address and processes it names; null if there is none
   * @param problems told if it cannot be written
   */
  public RunReport(
      String named, AgentState state, @Nullable PageServer page, Consumer<String> problems) {
    this.page = page;
    this.named = named;
    this.file = Path.of(named);
    this.state = state;
    this.problems = problems;
  }

  public void start() {
    AgentThread.start("deimos-report", this::watch);
  }

  private void watch() {
    while (!ending) {
      try {
        actorsLive = live();
        Faults.tell();
      } catch (Throwable t) {
        Faults.caught(t); // the number of a second ago stays
      }
      LockSupport.parkNanos(this, SECOND_NANOS);
    }
  }

  /** The JVM is about to end: what lives now is no longer of interest. */
  public void ending() {
    ending = true;
    actorsLive =
        Math.max(actorsLive, live()); // of the two the one that the end has not yet lowered
    nodesAtTheEnd = nodes();
  }

  /**
   * The processes on the page. An actor system may take long to end, and others of its cluster may
   * end because it does: they were there when the end began.
   */
  private List<Node> nodes() {
    Nodes onPage = page == null ? null : page.nodes();
    return onPage == null ? List.of() : onPage.all();
  }

  public void write() {
    try {
      write(json());
    } catch (Exception e) {
      problems.accept(
          "deimos.report.file="
              + named
              + " could not be written ("
              + e
              + "); name a file in a directory that exists and can be written");
    }
  }

  private void write(String json) throws IOException {
    boolean isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    if (isThere && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("it is a link, a pipe or a device, and no regular file");
    }
    Files.write(
        file,
        (json + System.lineSeparator()).getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE,
        // Somebody who can write to the directory shall not choose what is overwritten.
        LinkOption.NOFOLLOW_LINKS);
  }

  private String json() {
    String pageUrl = page == null ? null : page.url();
    Nodes onPage = page == null ? null : page.nodes();
    List<Node> nodes = Objects.requireNonNullElseGet(nodesAtTheEnd, this::nodes);
    TraceStore.Kept kept = page == null ? new TraceStore.Kept(0, 0) : page.kept();
    boolean tested = HookReport.state() != HookReport.State.PENDING;
    List<String> missing = tested ? HookReport.missing() : List.of();
    int ok = tested ? HookReport.hooks().size() - missing.size() : 0;
    long left = Drainer.backlog();
    return new StringJoiner(",\n  ", "{\n  ", "\n}")
        .add("\"messages\": " + messages())
        .add("\"spans_recorded\": " + Recorder.drained())
        .add("\"spans_exported\": " + state.spansExported())
        .add("\"spans_dropped\": " + (Recorder.dropped() + state.spansDropped()))
        .add("\"spans_sampled_out\": " + state.tail().letGo())
        .add("\"spans_left\": " + left)
        .add("\"spans_unfinished\": " + state.spansUnfinished())
        .add("\"export_warnings\": " + state.exportWarnings())
        .add("\"faults\": " + Faults.count())
        .add("\"sdk_failed\": " + state.isSdkFailed())
        .add("\"traces_cut\": " + TraceGuard.cuts())
        .add("\"memory\": " + memory())
        .add("\"actors_live\": " + actorsLive)
        .add("\"hooks_ok\": " + ok)
        .add("\"hooks_missing\": " + names(missing))
        .add("\"hooks_untested\": " + names(HookReport.untested()))
        .add("\"hooks_tested\": " + tested)
        .add("\"classes_woven_ahead\": " + WovenAhead.found())
        .add("\"classes_woven_here\": " + WovenAhead.made())
        .add("\"nodes\": " + nodes.size())
        .add(
            "\"nodes_gone\": "
                + nodes.stream().filter(node -> node.state() == Node.State.GONE).count())
        .add("\"joined_pages\": " + (onPage == null ? 0 : onPage.joinedInAll()))
        .add("\"traces_kept\": " + kept.traces())
        .add("\"traces_over_nodes\": " + kept.wholeOverNodes())
        .add("\"page_url\": " + (pageUrl == null ? "null" : quoted(pageUrl)))
        .toString();
  }

  private static String names(List<String> hooks) {
    StringJoiner names = new StringJoiner(", ", "[", "]");
    hooks.forEach(name -> names.add(quoted(name)));
    return names.toString();
  }

  private static String memory() {
    StringJoiner bytes = new StringJoiner(", ", "{", "}");
    Memory.bytes().forEach((purpose, taken) -> bytes.add(quoted(purpose.word()) + ": " + taken));
    return bytes.toString();
  }

  private static long messages() {
    return Recorder.metrics().series().stream().mapToLong(MetricsFold.Series::processed).sum();
  }

  private static long live() {
    return ActorKinds.all().stream()
        .filter(kind -> !kind.isSilent())
        .mapToLong(ActorKind::live)
        .sum();
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
