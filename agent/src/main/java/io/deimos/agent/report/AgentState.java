// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.report;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.check.Checks;
import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.log.Problems;
import io.deimos.agent.logs.LogBook;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.profile.Profile;
import io.deimos.agent.source.PageHistory;
import io.deimos.agent.source.PageSettings;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.span.Scope;
import io.deimos.agent.tail.TailCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of this agent, for the page and the report. Safe for any thread. */
public final class AgentState implements PageSource {
  private final Problems problems;
  private final ExportCounts counts;
  private final TailCounts tail;
  private final @Nullable PageSettings settings;
  private final PageHistory history = new PageHistory();
  private final @Nullable Observer observer;
  private final Accountant accountant;
  private volatile @Nullable Checks checks;
  private volatile @Nullable Profile profile;
  private volatile @Nullable LogBook logs;
  private volatile boolean mcp = true;
  private volatile String serviceName = "unknown_service:java";
  private volatile String exportTarget = "store";
  private volatile boolean isSdkFailed;

  public AgentState(
      Problems problems,
      ExportCounts counts,
      TailCounts tail,
      @Nullable PageSettings settings,
      @Nullable Observer observer,
      Accountant accountant) {
    this.accountant = accountant;
    this.observer = observer;
    this.problems = problems;
    this.settings = settings;
    this.counts = counts;
    this.tail = tail;
  }

  /** Whether assistants may ask at {@code /mcp}. */
  public void mcp(boolean allowed) {
    mcp = allowed;
  }

  @Override
  public boolean mcp() {
    return mcp;
  }

  public void serviceName(String name) {
    serviceName = name;
  }

  /** Says what is wrong from now on, by numbers that are noted with the page's history. */
  public void checks(Checks made) {
    checks = made;
    history.also(made::note);
  }

  @Override
  public @Nullable Checks checks() {
    return checks;
  }

  public void profile(Profile made) {
    profile = made;
  }

  public void logs(LogBook kept) {
    logs = kept;
  }

  public void exportTarget(String target) {
    exportTarget = target;
  }

  /** Nothing is exported, since OpenTelemetry's SDK could not be set up. */
  public void sdkFailed() {
    isSdkFailed = true;
    exportTarget = "nowhere: OpenTelemetry's SDK could not be set up";
  }

  boolean isSdkFailed() {
    return isSdkFailed;
  }

  @Override
  public String serviceName() {
    return serviceName;
  }

  @Override
  public String version() {
    return Scope.VERSION;
  }

  @Override
  public String exportTarget() {
    return exportTarget;
  }

  @Override
  public long spansExported() {
    return counts.exported();
  }

  @Override
  public long spansDropped() {
    return counts.dropped();
  }

  long exportWarnings() {
    return counts.warnings();
  }

  /** Part of the dropped ones: handed to the exporter, which did not answer before the end. */
  long spansUnfinished() {
    return counts.unfinished();
  }

  @Override
  public TailCounts tail() {
    return tail;
  }

  @Override
  public PageHistory history() {
    return history;
  }

  @Override
  public Accountant accountant() {
    return accountant;
  }

  @Override
  public List<String> problems() {
    return problems.all();
  }

  @Override
  public @Nullable PageSettings settings() {
    return settings;
  }

  @Override
  public @Nullable Observer observer() {
    return observer;
  }

  @Override
  public @Nullable LogBook logs() {
    return logs;
  }

  @Override
  public @Nullable Profile profile() {
    return profile;
  }
}
