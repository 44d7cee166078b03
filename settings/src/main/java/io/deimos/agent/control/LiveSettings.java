// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.control.AuditLog.Entry;
import io.deimos.agent.settings.ApplicationConfig;
import io.deimos.agent.settings.ConfigurationFile;
import io.deimos.agent.settings.Contradictions;
import io.deimos.agent.settings.Given;
import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.SettingLine;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.settings.SettingsChange;
import io.deimos.agent.settings.SettingsReader;
import io.deimos.agent.settings.SettingsReading;
import io.deimos.agent.settings.SettingsReading.ChangeLine;
import io.deimos.agent.settings.SettingsReading.ChangedValue;
import io.deimos.agent.settings.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings in force, and what they are made of. The page goes before the control file, that
 * before system properties, environment variables, OpenTelemetry's configuration file and the
 * application's HOCON. Safe for any thread; changes are made one after another.
 *
 * <p>A change takes place whole or not at all. A change that could not be put in force is still to
 * be done, and {@link #turn} does it.
 */
public final class LiveSettings {
  private static final String IN_TIME =
      "Put it into application.conf on the class path, or give it as a system property";

  private static final String BEFORE_ITS_CLASSES =
      "The application is in a class loader of its own, whose application.conf is not there yet"
          + " then. Give it as a system property or an environment variable";

  private static final String PAGE = "the page";

  private static final String OFF =
      "nothing is recorded until a restart, since a part of Deimos could not be set up";

  static final String NOT_WOVEN =
      "was off when the JVM started is not woven; start with "
          + Keys.WEAVE_ALL.name()
          + "=true to turn it on later";

  private final Consumer<String> problems;
  private final AuditLog auditLog;
  private final List<Consumer<Settings>> listeners = new CopyOnWriteArrayList<>();
  private Sources sources;
  private volatile PageChanges page = PageChanges.NONE;
  private final LongSupplier nanoTime;
  private volatile Runnable waker = () -> {};
  private boolean isToBeDone;
  private boolean isOff;
  private String unseen = "";
  private final Settings atStart;
  private final Settings woven;

  /** The last wishes, with those that cannot be. */
  private Settings wanted;

  private volatile Settings current;

  private LiveSettings(
      Sources sources, Consumer<String> problems, Consumer<String> audit, LongSupplier nanoTime) {
    this.sources = sources;
    this.nanoTime = nanoTime;
    this.problems = problems;
    this.auditLog = new AuditLog(audit);
    this.atStart = new SettingsReader(sources.layers(), problems).read();
    this.woven = atStart.woven();
    this.wanted = atStart;
    this.current = atStart;
    Contradictions.in(atStart).forEach(problems);
  }

  /**
   * Reads the settings of this process when it starts.
   *
   * @param properties the system's
   * @param configurationFile OpenTelemetry's
   * @param problems told what cannot be used
   * @param audit told of each change at run time, one line each
   */
  public static LiveSettings ofProcess(
      Map<String, String> properties,
      ConfigurationFile configurationFile,
      Consumer<String> problems,
      Consumer<String> audit) {
    ClassLoader files =
        ApplicationConfig.files(
            ClassLoader.getSystemClassLoader(), properties.getOrDefault("java.class.path", ""));
    return read(properties, System.getenv(), configurationFile.layer(), files, problems, audit);
  }

  /**
   * As {@link #ofProcess}, of these properties and variables.
   *
   * @param configurationFile our section of OpenTelemetry's
   * @param loader where the application's HOCON is looked for
   * @param problems told what cannot be used
   * @param audit told of each change at run time, one line each
   */
  public static LiveSettings read(
      Map<String, String> properties,
      Map<String, String> environment,
      Layer configurationFile,
      ClassLoader loader,
      Consumer<String> problems,
      Consumer<String> audit) {
    return read(
        properties, environment, configurationFile, loader, problems, audit, System::nanoTime);
  }

  /**
   * As {@link #read(Map, Map, Layer, ClassLoader, Consumer, Consumer)}.
   *
   * @param nanoTime by which changes end
   */
  static LiveSettings read(
      Map<String, String> properties,
      Map<String, String> environment,
      Layer configurationFile,
      ClassLoader loader,
      Consumer<String> problems,
      Consumer<String> audit,
      LongSupplier nanoTime) {
    Layer given = Layer.ofProperties(properties);
    return new LiveSettings(
        new Sources(
            ApplicationConfig.atStart(loader, problems).without(given),
            configurationFile,
            Layer.ofEnvironment(environment),
            given,
            Layer.empty()),
        problems,
        audit,
        nanoTime);
  }

  /** The settings in force. */
  public Settings current() {
    return current;
  }

  /** A setting as somebody gave it, with the place where it stands; null if nobody did. */
  public synchronized @Nullable Given given(Key<?> key) {
    return sources.given(key);
  }

  /** Sets who is told of each change, on the thread that made it. */
  public void onChange(Consumer<Settings> told) {
    listeners.add(told);
  }

  /** Sets who is woken when there is something to {@link #turn} to, before it is. */
  void wakes(Runnable woken) {
    waker = woken;
  }

  /**
   * The application's HOCON turns out to say this. Settings that may change do; the rest is named
   * once.
   *
   * @param whose as messages call it
   */
  public synchronized void application(Layer said, String whose) {
    application(said, whose, true);
  }

  /**
   * As {@link #application(Layer, String)}.
   *
   * @param isOfClassPath whether the application is on the JVM's class path
   */
  synchronized void application(Layer said, String whose, boolean isOfClassPath) {
    if (isOff) {
      return; // which was said when it failed
    }
    sources = sources.withApplication(said);
    update(
        new Entry(whose, "its configuration was read", whose, "", false),
        new Late(
            "the configuration of " + whose + " was not known when the JVM started",
            isOfClassPath ? IN_TIME : BEFORE_ITS_CLASSES));
  }

  /**
   * The control file says this now.
   *
   * @param name the file's, for messages
   */
  public synchronized void file(Layer said, String name) {
    if (isOff) {
      problems.accept(name + " has no effect: " + OFF);
      return;
    }
    sources = sources.withControl(said);
    String line = unseen.isEmpty() ? "" : name + " was read (" + unseen + ")";
    update(
        new Entry("the control file", name + " has changed", name, line, false),
        new Late(name + " was read while the application runs", "It needs a restart"));
  }

  /** Nothing is recorded any more, whatever settings say: they stay as they are. */
  public synchronized void recordNothing() {
    isOff = true;
    current = current.with(Keys.ENABLED, false);
  }

  /**
   * Not all that settings change is seen by anybody.
   *
   * @param why said with each change of the control file
   */
  public synchronized void unseen(String why) {
    unseen = why;
  }

  /**
   * Sets one setting from the page.
   *
   * @param value null for what it would be without the page
   * @return why this cannot be, or null if it is done
   */
  public @Nullable String set(String name, @Nullable String value) {
    return change(new SettingsChange.Set(name, value, null), PAGE);
  }

  /**
   * Changes something from the page, whole or not at all.
   *
   * @param by who does, in their own words
   * @return why this cannot be, or null if it is done
   */
  public synchronized @Nullable String change(SettingsChange change, String by) {
    if (isOff) {
      return "no setting has an effect: " + OFF;
    }
    PageEdit.Outcome outcome = edit().of(change, by);
    if (!outcome.refused().isEmpty()) {
      return outcome.refused();
    }
    if (outcome.isTimed()) {
      waker.run(); // if nobody could end it, it does not begin
    }
    put(outcome);
    return null;
  }

  private PageEdit edit() {
    return new PageEdit(current, woven, sources, page, nanoTime.getAsLong());
  }

  private void put(PageEdit.Outcome outcome) {
    page = outcome.page();
    if (outcome.entry() != null) {
      update(outcome.entry(), null);
    }
  }

  /**
   * Ends what has had its time, and does what is still to be done.
   *
   * @return in how many nanoseconds to come back
   */
  synchronized long turn() {
    if (isOff) {
      return Long.MAX_VALUE;
    }
    for (PageEdit.Outcome due = edit().due(); due != null; due = edit().due()) {
      put(due);
    }
    if (isToBeDone) {
      settle(null);
    }
    return page.nextNanos(nanoTime.getAsLong());
  }

  /**
   * Something has been done that may change settings.
   *
   * @param late what to say of what cannot change any more; null for what is from the page
   */
  private void update(Entry entry, @Nullable Late late) {
    auditLog.add(entry);
    settle(late);
  }

  private void settle(@Nullable Late said) {
    boolean isAgain = isToBeDone;
    isToBeDone = true;
    try {
      apply(changeable(said), isAgain);
      isToBeDone = false;
    } finally {
      if (isToBeDone) {
        waker.run();
      }
    }
  }

  /** The wishes, as far as they can change. */
  private Settings changeable(@Nullable Late said) {
    Settings asked = new SettingsReader(page.layers(sources.layers()), problems).read();
    Settings next = asked;
    List<String> late = new ArrayList<>();
    boolean isUnwoven = false;
    for (Key<?> key : Keys.all()) {
      if (!mayChange(key) && !next.get(key).equals(atStart.get(key))) {
        if (!next.get(key).equals(wanted.get(key))) {
          late.add(key.name() + "=" + ValueType.show(next.get(key)));
          isUnwoven |= key.when() == Key.When.IF_ON_AT_START;
        }
        next = keep(next, key);
      }
    }
    wanted = asked;
    if (!late.isEmpty() && said != null) {
      problems.accept(
          said.why
              + ", so this in it has no effect: "
              + String.join(", ", late)
              + ". "
              + said.wayOut
              + (isUnwoven ? ". A part that " + NOT_WOVEN : ""));
    }
    return next;
  }

  private <T> Settings keep(Settings next, Key<T> key) {
    return next.with(key, atStart.get(key));
  }

  /**
   * @param isAgain whether somebody may not have been told of what is in force
   */
  private void apply(Settings next, boolean isAgain) {
    Settings before = current;
    current = next;
    List<ChangedValue> changed = new ArrayList<>();
    for (Key<?> key : Keys.all()) {
      Object was = before.get(key);
      Object is = next.get(key);
      if (!was.equals(is)) {
        changed.add(new ChangedValue(key.name(), ValueType.show(was), ValueType.show(is)));
      }
    }
    if (!changed.isEmpty()) {
      Contradictions.in(next).forEach(problems);
    }
    auditLog.tell(changed);
    if (!changed.isEmpty() || isAgain) {
      tell(next);
    }
  }

  private void tell(Settings next) {
    Throwable failed = null;
    for (Consumer<Settings> told : listeners) {
      try {
        told.accept(next);
      } catch (Throwable t) {
        failed = failed == null ? t : failed;
      }
    }
    if (failed != null) {
      throw new IllegalStateException(
          "settings have changed, but not everything follows them yet, because of "
              + failed
              + "; this is tried again each second",
          failed);
    }
  }

  /** The presets that hold now, the strongest last. */
  public List<ChangeLine> presets() {
    long now = nanoTime.getAsLong();
    return page.all().stream()
        .filter(one -> one.preset() != null)
        .map(one -> one.line(now))
        .toList();
  }

  /** All that the page shows of settings, as of now. */
  public synchronized SettingsReading read() {
    PageEdit edit = edit();
    long now = edit.nowNanos();
    return new SettingsReading(
        lines(),
        Preset.ALL.stream().map(edit::line).toList(),
        page.all().stream().map(one -> one.line(now)).toList(),
        auditLog.all());
  }

  /** All settings as they are now, for the page. */
  public synchronized List<SettingLine> lines() {
    return new SettingLines(current, wanted, woven, sources, page, isOff)
        .asOf(nanoTime.getAsLong());
  }

  private boolean mayChange(Key<?> key) {
    return key.mayChange(woven.get(key));
  }

  /** The words on settings that cannot change any more. */
  private record Late(String why, String wayOut) {}
}
