// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.deimos.agent.budget.Accountant;
import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.log.Problems;
import io.deimos.agent.nodes.Node;
import io.deimos.agent.page.PagePlace;
import io.deimos.agent.page.PageServer;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.tail.TailCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReportTest {
  private static final Duration MOST = Duration.ofSeconds(20);

  @TempDir private Path directory;

  private final List<String> problems = new ArrayList<>();

  private AgentState state() {
    return new AgentState(
        new Problems(problems::add),
        new ExportCounts(),
        new TailCounts(),
        null,
        null,
        Accountant.ofHeap(1, Long.MAX_VALUE));
  }

  private void write(Path file) {
    AgentState state = state();
    Assertions.assertTimeoutPreemptively(
        MOST, () -> new RunReport(file.toString(), state, null, problems::add).write());
  }

  /** An actor system may take long to end, and others of its cluster end meanwhile. */
  @Test
  void write_afterProcessesHaveEndedWhileThisOneDid_saysWhoWasGoneWhenTheEndBegan()
      throws Exception {
    Path file = directory.resolve("report");
    AgentState state = state();
    List<PageServer> all = new ArrayList<>();
    try {
      PageServer page = page(0, state);
      all.add(page);
      String url = Objects.requireNonNull(page.url());
      int port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
      PageServer second = page(port, state());
      all.add(second);
      PageServer third = page(port, state());
      all.add(third);
      await(() -> second.isJoined() && third.isJoined() && count(page, Node.State.JOINED) == 2);
      RunReport report = new RunReport(file.toString(), state, page, problems::add);
      third.close();
      await(() -> count(page, Node.State.GONE) == 1);
      report.ending();
      second.close();
      await(() -> count(page, Node.State.GONE) == 2);
      report.write();
    } finally {
      all.forEach(PageServer::close);
    }
    Config said = ConfigFactory.parseFile(file.toFile());
    assertThat(said.getInt("nodes")).isEqualTo(3);
    assertThat(said.getInt("nodes_gone")).isEqualTo(1);
    assertThat(said.getInt("joined_pages")).isEqualTo(2);
  }

  private PageServer page(int port, AgentState state) throws InterruptedException {
    PageServer page =
        PageServer.start(
            PagePlace.on(port),
            new PageAccess(PageAccessMode.OPEN, PageControl.OFF, PageAccessMode.OFF, "secret"),
            state,
            new TraceStore(StoreLimits.DEFAULT),
            null,
            new PageStart("", line -> {}, problems::add),
            () -> {});
    boolean unused = page.awaitStart(MOST.toMillis());
    return page;
  }

  private static long count(PageServer page, Node.State state) {
    return Objects.requireNonNull(page.nodes()).all().stream()
        .filter(node -> node.state() == state)
        .count();
  }

  private static void await(BooleanSupplier condition) {
    long until = System.nanoTime() + MOST.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(until);
      LockSupport.parkNanos(10_000_000);
    }
  }

  @Test
  void write_fileThatIsThere_isReplacedWhole() throws IOException {
    Path file = Files.writeString(directory.resolve("report"), "x".repeat(100_000));
    write(file);
    assertThat(problems).isEmpty();
    assertThat(ConfigFactory.parseFile(file.toFile()).getLong("spans_exported")).isZero();
  }

  @Test
  void write_link_isNotFollowedAndTold() throws IOException {
    Path precious = Files.writeString(directory.resolve("precious"), "precious");
    Path nothing = directory.resolve("nothing");
    for (Path target : List.of(precious, nothing)) {
      Path link = Files.createSymbolicLink(directory.resolve("to-" + target.getFileName()), target);
      write(link);
      assertThat(problems).hasSize(1);
      assertThat(problems.remove(0)).contains("deimos.report.file=" + link, "a link");
    }
    assertThat(precious).hasContent("precious");
    assertThat(nothing).doesNotExist();
  }

  @Test
  void write_pipeThatNobodyReads_doesNotWaitAndIsTold() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    write(pipe);
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).contains("deimos.report.file=" + pipe, "a pipe");
  }
}
