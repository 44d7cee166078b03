// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.housekeeping.Memory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has all rules judge when somebody asks, at most once a second; who asks in between gets the same
 * findings. Remembers since when each finding is known.
 *
 * <p><b>Full.</b> {@value #MAX_FINDINGS} findings, of one rule {@value #MAX_OF_RULE}; beyond that
 * they are counted.
 *
 * <p><b>Threads.</b> One notes, any may ask; one of these judges, the others wait for it.
 */
public final class Checks {
  static final int MAX_FINDINGS = 200;
  static final int MAX_OF_RULE = 20;

  /** The rule of the findings that tell of rules that failed. */
  public static final String OWN = "check-failed";

  private static final long FRESH_NANOS = 1_000_000_000L;

  /** Numbers are not noted more often, whoever asks. */
  private static final long LEAST_NANOS = 400_000_000L;

  private static final long FORGET_NANOS = 60_000_000_000L;
  private static final int MAX_KNOWN = 1000;

  private final List<Rule> rules;
  private final List<Source> sources = new CopyOnWriteArrayList<>();
  private final Supplier<Settings> settings;
  private final Past past;
  private final double share;
  private final LongSupplier clock;
  private final Map<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);
  private final CopyOnWriteArrayList<String> failedSources = new CopyOnWriteArrayList<>();
  private long restUntil;
  private boolean hasRested;
  private @Nullable CheckResult last;
  private long lastNanos;

  /**
   * @param settings those in force
   * @param bytes how much the past may take
   * @param share of one core that noting may take
   */
  public Checks(List<Rule> rules, Supplier<Settings> settings, long bytes, double share) {
    this(rules, settings, bytes, share, Clock::now);
    Memory.add(Memory.Purpose.OBSERVER, past::bytes);
  }

  Checks(
      List<Rule> rules, Supplier<Settings> settings, long bytes, double share, LongSupplier clock) {
    this.rules = List.copyOf(rules);
    this.settings = settings;
    this.past = new Past(bytes);
    this.share = share;
    this.clock = clock;
  }

  /** Adds a source. */
  public Checks with(Source source) {
    sources.add(source);
    return this;
  }

  /** Whether rules judge at all. */
  public boolean isOn() {
    return settings.get().get(Keys.CHECK);
  }

  /** The settings in force. */
  public Settings settings() {
    return settings.get();
  }

  /** Notes the numbers of this moment, unless noting has taken more than its share of late. */
  public void note() {
    if (isOn()) {
      synchronized (past) {
        noteIfRested();
      }
    }
  }

  private void noteIfRested() {
    long begun = clock.getAsLong();
    if (hasRested && begun - restUntil < 0) {
      return;
    }
    past.note(
        Clock.epochNanos(begun) / 1_000_000,
        notes -> {
          for (Source source : sources) {
            try {
              source.note(notes);
            } catch (RuntimeException | LinkageError e) {
              failed(source, e);
            }
          }
        });
    long end = clock.getAsLong();
    hasRested = true;
    restUntil = Math.max(begun + LEAST_NANOS, end + (long) ((end - begun) / share));
  }

  private void failed(Source source, Throwable thrown) {
    Faults.caught(thrown);
    failedSources.addIfAbsent(source.getClass().getSimpleName());
  }

  /** The findings of now, or of less than a second ago. */
  public synchronized CheckResult run(Scan scan) {
    long now = clock.getAsLong();
    CheckResult before = last;
    if (before != null && now - lastNanos < FRESH_NANOS) {
      return before;
    }
    CheckResult result = judge(scan, now);
    if (!scan.isCut()) {
      last = result;
      lastNanos = now;
    }
    return result;
  }

  /**
   * The findings of this moment as texts, for a test in this process.
   *
   * @param ignored as {@code deimos.check.ignore}, and beyond it
   */
  public List<Map<String, Object>> told(List<String> ignored) {
    Ignored accepted = new Ignored(ignored);
    note();
    CheckResult now;
    synchronized (this) {
      last = null;
      now = run(Scan.unbounded());
    }
    return now.findings().stream()
        .filter(one -> !accepted.has(one))
        .map(
            one ->
                Map.<String, Object>of(
                    "rule", one.rule(),
                    "severity", one.severity().word(),
                    "says", one.words().says(),
                    "costs", one.words().costs(),
                    "advice", one.words().advice()))
        .toList();
  }

  /** The facts of one source alone, as they are now. */
  public Evidence facts(Source source, Scan scan) {
    Facts facts = new Facts(past, scan, settings.get());
    source.look(facts);
    return facts.evidence();
  }

  private CheckResult judge(Scan scan, long now) {
    Settings inForce = settings.get();
    long nowMillis = Clock.epochNanos(now) / 1_000_000;
    Facts facts = new Facts(past, scan, inForce);
    for (Source source : sources) {
      try {
        source.look(facts);
      } catch (RuntimeException | LinkageError e) {
        failed(source, e);
      }
    }
    Evidence evidence = facts.evidence();
    Found found = new Found(new Ignored(inForce.get(Keys.CHECK_IGNORE)));
    for (Rule rule : rules) {
      found.begin();
      try {
        rule.look(evidence, found::add);
      } catch (RuntimeException | LinkageError e) {
        Faults.caught(e);
        found.failed("rule " + rule.id(), e.toString());
      }
    }
    failedSources.forEach(
        source -> found.failed("source " + source, "see the incidents of kind deimos"));
    List<Finding> findings = new ArrayList<>();
    for (Finding one : found.sorted()) {
      findings.add(one.since(since(one, now, nowMillis)));
    }
    known.values().removeIf(one -> now - one.seen > FORGET_NANOS);
    return new CheckResult(
        nowMillis,
        List.copyOf(findings),
        rules.size(),
        past.lengthMillis(),
        new CheckResult.Left(
            found.ignored,
            found.leftOut,
            facts.leftOut() + past.leftOut(),
            found.failed,
            scan.notLookedAt()));
  }

  /** As the rule says, or else since it was found first. */
  private long since(Finding finding, long now, long nowMillis) {
    Long told = finding.since();
    Known before = known.get(finding.subject());
    long since = before == null ? nowMillis : before.sinceMillis;
    if (told != null && told > 0) {
      since = Math.min(since, told);
    }
    if (before != null || known.size() < MAX_KNOWN) {
      known.put(finding.subject(), new Known(since, now));
    }
    return since;
  }

  private record Known(long sinceMillis, long seen) {}

  private static final class Found {
    private final Ignored accepted;
    private final List<Finding> all = new ArrayList<>();
    private int ofRule;
    private int ignored;
    private int leftOut;
    private int failed;

    Found(Ignored accepted) {
      this.accepted = accepted;
    }

    void begin() {
      ofRule = 0;
    }

    void add(Finding finding) {
      if (accepted.has(finding)) {
        ignored++;
      } else if (ofRule < MAX_OF_RULE && all.size() < MAX_FINDINGS) {
        ofRule++;
        all.add(finding);
      } else {
        leftOut++;
      }
    }

    void failed(String who, String why) {
      failed++;
      begin();
      add(
          new Finding(
              OWN,
              Finding.Severity.ADVICE,
              Finding.Sure.CERTAIN,
              Where.HERE,
              null,
              new Finding.Words(
                  "The " + who + " failed: " + why + ".",
                  "Defects that it would find stay unknown; the application is unaffected.",
                  "Report it with the incident of kind deimos under Trouble."),
              "#/trouble"));
    }

    List<Finding> sorted() {
      all.sort(
          Comparator.comparing(Finding::severity)
              .thenComparing(Finding::sure)
              .reversed()
              .thenComparing(Finding::rule));
      return all;
    }
  }
}
