// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import com.typesafe.config.ConfigException;
import io.deimos.agent.log.Printable;
import io.deimos.agent.settings.ApplicationConfig;
import io.deimos.agent.settings.ConfigurationFile;
import io.deimos.agent.settings.Contradictions;
import io.deimos.agent.settings.Given;
import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Kind;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.PlainHocon;
import io.deimos.agent.settings.SettingLine;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.settings.SettingsChange;
import io.deimos.agent.settings.SettingsReader;
import io.deimos.agent.settings.SettingsReading;
import io.deimos.agent.settings.SettingsReading.ChangeLine;
import io.deimos.agent.settings.SettingsReading.ChangedValue;
import io.deimos.agent.settings.SettingsReading.HeldLine;
import io.deimos.agent.settings.SettingsReading.PresetLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings in force, and what they are made of. What is set on the page goes before the control
 * file, that before system properties, environment variables, OpenTelemetry's configuration file
 * and the application's HOCON. Safe for any thread; changes are made one after another.
 *
 * <p>A change takes place whole or not at all. What has changed and could not be put in force is
 * still to be done, and {@link #turn} does it.
 */
public final class LiveSettings {
  private static final String IN_TIME =
      "Put it into application.conf on the class path, or give it as a system property";

  private static final String BEFORE_ITS_CLASSES =
      "The application is in a class loader of its own, whose application.conf is not there yet"
          + " then. Give it as a system property or an environment variable";

  private static final String PAGE = "the page";

  private static final String NOT_WOVEN =
      "was off when the JVM started is not woven; start with "
          + Keys.WEAVE_ALL.name()
          + "=true to turn it on later";

  /** Our section of OpenTelemetry's configuration file. */
  private final Layer configurationFile;

  private final Layer environment;
  private final Layer properties;
  private final Consumer<String> problems;
  private final Consumer<String> audit;
  private final List<Consumer<Settings>> listeners = new CopyOnWriteArrayList<>();
  private Layer application;
  private Layer file = Layer.empty();
  private volatile PageChanges page = PageChanges.NONE;
  private final ChangeHistory history = new ChangeHistory();
  private final LongSupplier nanoTime;
  private volatile Runnable waker = () -> {};
  private @Nullable Deed undescribed;
  private boolean isToBeDone;
  private final Settings atStart;
  private final Settings woven;

  /** What was asked for last, with what cannot be. */
  private Settings wanted;

  private volatile Settings current;

  private LiveSettings(
      Layer configurationFile,
      Layer environment,
      Layer properties,
      Layer application,
      Consumer<String> problems,
      Consumer<String> audit,
      LongSupplier nanoTime) {
    this.configurationFile = configurationFile;
    this.environment = environment;
    this.nanoTime = nanoTime;
    this.properties = properties;
    this.application = application;
    this.problems = problems;
    this.audit = audit;
    this.atStart = new SettingsReader(below(), problems).read();
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
        configurationFile,
        Layer.ofEnvironment(environment),
        given,
        ApplicationConfig.atStart(loader, problems).without(given),
        problems,
        audit,
        nanoTime);
  }

  /** What holds now. */
  public Settings current() {
    return current;
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
   * The application's HOCON turns out to say this. What may change does; the rest is named once.
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
    application = said.withoutDefaults().without(properties).placedAs(application);
    update(
        new Deed(whose, "its configuration was read", whose, "", false),
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
    file = said;
    update(
        new Deed("the control file", name + " has changed", name, "", false),
        new Late(name + " was read while the application runs", "It needs a restart"));
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
    if (change instanceof SettingsChange.Set one) {
      return set(one, by);
    }
    return change instanceof SettingsChange.Begin one
        ? begin(one, by)
        : end((SettingsChange.End) change, by);
  }

  private @Nullable String set(SettingsChange.Set asked, String by) {
    Key<?> key = Keys.named(asked.key());
    if (key == null) {
      return "there is no setting " + Printable.shortLine(asked.key());
    }
    String value = asked.value() == null || asked.value().isBlank() ? null : asked.value();
    String refused = refusal(key, value);
    if (refused != null) {
      return refused;
    }
    if (value == null) {
      return takeBack(key, by);
    }
    Duration during = asked.during();
    if (during != null && page.areFull()) {
      return full();
    }
    // One that holds for good is what those before it would come back to.
    PageChanges before = during == null ? page.without(one -> one.isOf(key)) : page;
    add(before, null, key, value, during, by);
    update(
        new Deed(
            by,
            "set " + key.name() + " to " + value + during(during),
            by + during(during),
            "",
            true),
        null);
    return null;
  }

  private @Nullable String takeBack(Key<?> key, String by) {
    if (page.all().stream().noneMatch(one -> one.isOf(key))) {
      PageChanges.Change holds = giver(key, page.over(below()));
      return holds == null
          ? null
          : key.name()
              + " is held by the preset "
              + holds.shown()
              + "; end that, or set the setting itself";
    }
    page = page.without(one -> one.isOf(key));
    update(new Deed(by, "took back " + key.name(), by, "", true), null);
    return null;
  }

  private @Nullable String begin(SettingsChange.Begin asked, String by) {
    Preset preset = Preset.named(asked.preset());
    if (preset == null) {
      return "there is no preset "
          + Printable.shortLine(asked.preset())
          + "; there are "
          + String.join(" and ", Preset.ALL.stream().map(Preset::name).toList());
    }
    Duration during = asked.during() == null ? preset.otherwise() : asked.during();
    PageChanges before = makingRoom(during != null);
    String refused = refusal(preset, before);
    if (refused != null) {
      return refused;
    }
    if (during != null && before.areFull()) {
      return full();
    }
    String replaced =
        page.all().stream()
            .filter(one -> !before.all().contains(one))
            .map(one -> ", in place of " + one.shown())
            .reduce("", String::concat);
    add(before, preset, null, "", during, by);
    String began = preset.name() + " began" + during(during) + replaced;
    update(
        new Deed(by, began, "the preset " + preset.name(), "preset " + began + " by " + by, true),
        null);
    return null;
  }

  /** The changes that remain when a preset begins: of each kind there is one. */
  private PageChanges makingRoom(boolean isTimed) {
    return page.without(one -> one.preset() != null && (one.isTimed() || !isTimed));
  }

  private @Nullable String end(SettingsChange.End asked, String by) {
    String which = asked.which();
    List<PageChanges.Change> ended =
        page.all().stream()
            .filter(
                one ->
                    which.equals(Long.toString(one.number()))
                        || (one.preset() != null && which.equals(one.preset().name())))
            .toList();
    if (ended.isEmpty()) {
      return "there is no change "
          + Printable.shortLine(which)
          + " now; it may have ended by itself";
    }
    page = page.without(ended::contains);
    String shown = ended.get(0).shown();
    update(
        new Deed(
            by,
            "ended " + shown,
            by,
            ended.get(0).preset() == null ? "" : "preset " + shown + " ended by " + by,
            true),
        null);
    return null;
  }

  private void add(
      PageChanges before,
      @Nullable Preset preset,
      @Nullable Key<?> key,
      String value,
      @Nullable Duration during,
      String by) {
    if (during != null) {
      waker.run(); // if nobody could end it, it does not begin
    }
    page =
        before.with(
            new PageChanges.Change(
                page.made() + 1,
                preset,
                key,
                value,
                during != null,
                during == null ? 0 : nanoTime.getAsLong() + during.toNanos(),
                System.currentTimeMillis(),
                by));
  }

  private static String full() {
    return PageChanges.MOST_TIMED
        + " changes that end by themselves hold now, and there may be no more; end one of them, or"
        + " leave out for how long";
  }

  private static String during(@Nullable Duration during) {
    return during == null ? "" : " for " + Kind.show(during);
  }

  /** Why a setting cannot be set so from the page; null if it can. */
  private @Nullable String refusal(Key<?> key, @Nullable String value) {
    if (!key.isForPage()) {
      return key.name() + " is set when the JVM starts or in the control file, not from the page";
    }
    if (!mayChange(key)) {
      return key.name()
          + " cannot change while the application runs"
          + (key.when() == Key.When.IF_ON_AT_START ? ": what " + NOT_WOVEN : "");
    }
    Given given = Layer.empty().with(key, value).given(key);
    if (given != null) {
      try {
        PlainHocon.checkLength(Objects.requireNonNull(value));
        Objects.requireNonNull(key.kind().parse().apply(given.value()));
      } catch (ConfigException | IllegalArgumentException e) {
        return given.shown() + key.kind().refusal(e);
      }
    }
    return null;
  }

  /** Why a preset cannot begin over these changes; null if it can. */
  private @Nullable String refusal(Preset preset, PageChanges before) {
    for (Key<Boolean> needed : preset.needs()) {
      if (!current.get(needed)) {
        return preset.name() + " needs " + needed.name() + "=true; nothing is recorded without it";
      }
    }
    Settings below = quietly(before);
    for (Hold hold : preset.holds()) {
      String refused = refusal(hold.key(), hold.over().apply(below));
      if (refused != null) {
        return preset.name() + " changes several settings, and not all of them can be: " + refused;
      }
    }
    return null;
  }

  /**
   * Ends what has had its time, and does what is still to be done.
   *
   * @return in how many nanoseconds to come back
   */
  synchronized long turn() {
    long now = nanoTime.getAsLong();
    for (PageChanges.Change due = page.due(now); due != null; due = page.due(now)) {
      PageChanges.Change ended = due;
      page = page.without(ended::equals);
      String what = ended.shown() + " ended: its time was up";
      update(
          new Deed(
              "Deimos",
              what,
              "the end of " + (ended.preset() == null ? "its time" : "preset " + ended.shown()),
              ended.preset() == null ? "" : "preset " + what,
              true),
          null);
    }
    if (isToBeDone) {
      settle(null);
    }
    return page.nextNanos(now);
  }

  /**
   * Something has been done that may change settings.
   *
   * @param late what to say of what cannot change any more; null for what is from the page
   */
  private void update(Deed deed, @Nullable Late late) {
    describe(List.of()); // the one before, if its outcome is not known
    undescribed = deed;
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

  /** What is asked for, as far as it can change. */
  private Settings changeable(@Nullable Late said) {
    Settings asked = new SettingsReader(layers(page), problems).read();
    Settings next = asked;
    List<String> late = new ArrayList<>();
    boolean isUnwoven = false;
    for (Key<?> key : Keys.all()) {
      if (!mayChange(key) && !next.get(key).equals(atStart.get(key))) {
        if (!next.get(key).equals(wanted.get(key))) {
          late.add(key.name() + "=" + Kind.show(next.get(key)));
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
              + (isUnwoven ? ". What " + NOT_WOVEN : ""));
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
        changed.add(new ChangedValue(key.name(), Kind.show(was), Kind.show(is)));
      }
    }
    if (!changed.isEmpty()) {
      Contradictions.in(next).forEach(problems);
    }
    describe(changed);
    if (!changed.isEmpty() || isAgain) {
      tell(next);
    }
  }

  /** Says what was done and what became of it, once. */
  private void describe(List<ChangedValue> changed) {
    Deed deed = undescribed;
    undescribed = null;
    if (deed == null) {
      return;
    }
    if (!deed.line.isEmpty()) {
      audit.accept(deed.line);
    }
    for (ChangedValue one : changed) {
      audit.accept(
          "setting "
              + one.key()
              + " changed from "
              + one.from()
              + " to "
              + one.to()
              + " by "
              + deed.cause);
    }
    if (!changed.isEmpty() || deed.isAsked) {
      history.add(System.currentTimeMillis(), deed.by, deed.what, changed);
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
    long now = nanoTime.getAsLong();
    return new SettingsReading(
        lines(),
        Preset.ALL.stream().map(this::line).toList(),
        page.all().stream().map(one -> one.line(now)).toList(),
        history.all());
  }

  private PresetLine line(Preset preset) {
    boolean isTimed = preset.otherwise() != null;
    PageChanges before = makingRoom(isTimed);
    PageChanges.Change begun = new PageChanges.Change(0, preset, null, "", isTimed, 0, 0, "");
    Settings then = quietly(before.with(begun));
    return new PresetLine(
        preset.name(),
        preset.title(),
        preset.does(),
        preset.costs(),
        preset.otherwise() == null ? -1 : preset.otherwise().toMillis(),
        preset.holds().stream()
            .map(
                hold ->
                    new HeldLine(
                        hold.key().name(),
                        hold.rule(),
                        hold.value(),
                        Kind.show(current.get(hold.key())),
                        Kind.show((mayChange(hold.key()) ? then : current).get(hold.key()))))
            .toList(),
        Objects.requireNonNullElse(refusal(preset, before), ""));
  }

  /** All settings as they are now, for the page. */
  public synchronized List<SettingLine> lines() {
    long now = nanoTime.getAsLong();
    List<Layer> changed = page.over(below());
    List<SettingLine> lines = new ArrayList<>();
    for (Key<?> key : Keys.all()) {
      PageChanges.Change giver = giver(key, changed);
      lines.add(
          new SettingLine(
              key.name(),
              Kind.show(current.get(key)),
              Kind.show(key.otherwise()),
              key.kind().wanted(),
              choices(key.otherwise()),
              key.does(),
              key.costs(),
              source(key, giver),
              key.isForPage() && mayChange(key),
              giver != null,
              giver == null || giver.preset() == null ? "" : giver.preset().name(),
              giver == null ? -1 : giver.leftMillis(now)));
    }
    return lines;
  }

  /** The change on the page that gives a setting its value; null if none does. */
  private PageChanges.@Nullable Change giver(Key<?> key, List<Layer> changed) {
    for (int i = changed.size() - 1; i >= 0; i--) {
      if (changed.get(i).given(key) != null) {
        return page.all().get(i);
      }
    }
    return null;
  }

  private static List<String> choices(Object otherwise) {
    if (otherwise instanceof Boolean) {
      return List.of("true", "false");
    }
    return otherwise instanceof Enum<?> one
        ? Arrays.stream(one.getDeclaringClass().getEnumConstants()).map(Kind::show).toList()
        : List.of();
  }

  /** Where a value comes from, in a few words. */
  private String source(Key<?> key, PageChanges.@Nullable Change giver) {
    if (!current.isGiven(key)) {
      return "default";
    }
    if (!mayChange(key) && !wanted.get(key).equals(current.get(key))) {
      return "as when the JVM started";
    }
    if (giver != null) {
      return giver.preset() == null ? "this page" : "preset " + giver.preset().name();
    }
    if (file.given(key) != null) {
      return "control file";
    }
    if (properties.given(key) != null) {
      return "system property";
    }
    if (environment.given(key) != null) {
      return "environment variable";
    }
    Given ofFile = configurationFile.given(key);
    Given given = ofFile != null ? ofFile : application.given(key);
    String place = given == null ? null : given.place();
    return place == null ? "default" : place;
  }

  private boolean mayChange(Key<?> key) {
    return key.mayChange(woven.get(key));
  }

  private List<Layer> below() {
    return List.of(application, configurationFile, environment, properties, file);
  }

  private List<Layer> layers(PageChanges changes) {
    List<Layer> layers = new ArrayList<>(below());
    layers.addAll(changes.over(below()));
    return layers;
  }

  /** What would be in force with these changes. What is wrong in it has been said. */
  private Settings quietly(PageChanges changes) {
    return new SettingsReader(layers(changes), known -> {}).read();
  }

  /**
   * What somebody has done.
   *
   * @param by for the history
   * @param what for the history
   * @param cause of each setting that changes, for the log
   * @param line what the log says besides; empty for nothing
   * @param isAsked whether it is told even if it changed nothing
   */
  private record Deed(String by, String what, String cause, String line, boolean isAsked) {}

  /** What to say of what cannot change any more. */
  private record Late(String why, String wayOut) {}
}
