// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import com.typesafe.config.ConfigException;
import io.deimos.agent.log.Printable;
import io.deimos.agent.settings.ApplicationConfig;
import io.deimos.agent.settings.Contradictions;
import io.deimos.agent.settings.Given;
import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Kind;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.PlainHocon;
import io.deimos.agent.settings.SettingLine;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.settings.SettingsReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings in force, and what they are made of. What is set on the page goes before the control
 * file, that before system properties, environment variables and the application's HOCON. Safe for
 * any thread; changes are made one after another.
 */
public final class LiveSettings {
  private static final String IN_TIME =
      "Put it into application.conf on the class path, or give it as a system property";

  private static final String BEFORE_ITS_CLASSES =
      "The application is in a class loader of its own, whose application.conf is not there yet"
          + " then. Give it as a system property or an environment variable";

  private static final String NOT_WOVEN =
      "was off when the JVM started is not woven; start with "
          + Keys.WEAVE_ALL.name()
          + "=true to turn it on later";

  private final Layer environment;
  private final Layer properties;
  private final Consumer<String> problems;
  private final Consumer<String> audit;
  private final List<Consumer<Settings>> listeners = new CopyOnWriteArrayList<>();
  private Layer application;
  private Layer file = Layer.empty();
  private Layer page = Layer.empty();
  private final Settings atStart;
  private final Settings woven;

  /** What was asked for last, with what cannot be. */
  private Settings wanted;

  private volatile Settings current;

  private LiveSettings(
      Layer environment,
      Layer properties,
      Layer application,
      Consumer<String> problems,
      Consumer<String> audit) {
    this.environment = environment;
    this.properties = properties;
    this.application = application;
    this.problems = problems;
    this.audit = audit;
    this.atStart = new SettingsReader(layers(), problems).read();
    this.woven = atStart.woven();
    this.wanted = atStart;
    this.current = atStart;
    Contradictions.in(atStart).forEach(problems);
  }

  /**
   * Reads the settings of this process when it starts.
   *
   * @param problems told what cannot be used
   * @param audit told of each change at run time, one line each
   */
  public static LiveSettings ofProcess(Consumer<String> problems, Consumer<String> audit) {
    Map<String, String> properties = new HashMap<>();
    for (String name : System.getProperties().stringPropertyNames()) {
      properties.put(name, System.getProperty(name, ""));
    }
    ClassLoader files =
        ApplicationConfig.files(
            ClassLoader.getSystemClassLoader(), properties.getOrDefault("java.class.path", ""));
    return read(properties, System.getenv(), files, problems, audit);
  }

  /**
   * As {@link #ofProcess}, of these properties and variables.
   *
   * @param loader where the application's HOCON is looked for
   * @param problems told what cannot be used
   * @param audit told of each change at run time, one line each
   */
  public static LiveSettings read(
      Map<String, String> properties,
      Map<String, String> environment,
      ClassLoader loader,
      Consumer<String> problems,
      Consumer<String> audit) {
    Layer given = Layer.ofProperties(properties);
    return new LiveSettings(
        Layer.ofEnvironment(environment),
        given,
        ApplicationConfig.atStart(loader, problems).without(given),
        problems,
        audit);
  }

  /** What holds now. */
  public Settings current() {
    return current;
  }

  /** Sets who is told of each change, on the thread that made it. */
  public void onChange(Consumer<Settings> told) {
    listeners.add(told);
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
        whose, "was not known when the JVM started", isOfClassPath ? IN_TIME : BEFORE_ITS_CLASSES);
  }

  /**
   * The control file says this now.
   *
   * @param name the file's, for messages
   */
  public synchronized void file(Layer said, String name) {
    file = said;
    update(name, "was read while the application runs", "It needs a restart");
  }

  /**
   * Sets one setting from the page.
   *
   * @param value null for what it would be without the page
   * @return why this cannot be, or null if it is done
   */
  public synchronized @Nullable String set(String name, @Nullable String value) {
    Key<?> key = Keys.named(name);
    if (key == null) {
      return "there is no setting " + Printable.shortLine(name);
    }
    if (!key.isForPage()) {
      return key.name() + " is set when the JVM starts or in the control file, not from the page";
    }
    if (!mayChange(key)) {
      return key.name()
          + " cannot change while the application runs"
          + (key.when() == Key.When.IF_ON_AT_START ? ": what " + NOT_WOVEN : "");
    }
    Layer wanted = page.with(key, value);
    Given given = wanted.given(key);
    if (given != null) {
      try {
        PlainHocon.checkLength(Objects.requireNonNull(value));
        Objects.requireNonNull(key.kind().parse().apply(given.value()));
      } catch (ConfigException | IllegalArgumentException e) {
        return given.shown() + key.kind().refusal(e);
      }
    }
    page = wanted;
    update("the page", "", "");
    return null;
  }

  private void update(String whose, String why, String wayOut) {
    Settings asked = new SettingsReader(layers(), problems).read();
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
    if (!late.isEmpty()) {
      problems.accept(
          (whose.startsWith("actor system") ? "the configuration of " : "")
              + whose
              + " "
              + why
              + ", so this in it has no effect: "
              + String.join(", ", late)
              + ". "
              + wayOut
              + (isUnwoven ? ". What " + NOT_WOVEN : ""));
    }
    apply(next, whose);
  }

  private <T> Settings keep(Settings next, Key<T> key) {
    return next.with(key, atStart.get(key));
  }

  private void apply(Settings next, String by) {
    Settings before = current;
    if (next.equals(before)) {
      return;
    }
    current = next;
    Contradictions.in(next).forEach(problems);
    for (Key<?> key : Keys.all()) {
      Object was = before.get(key);
      Object is = next.get(key);
      if (!was.equals(is)) {
        audit.accept(
            "setting "
                + key.name()
                + " changed from "
                + Kind.show(was)
                + " to "
                + Kind.show(is)
                + " by "
                + by);
      }
    }
    listeners.forEach(told -> told.accept(next));
  }

  /** All settings as they are now, for the page. */
  public synchronized List<SettingLine> lines() {
    List<SettingLine> lines = new ArrayList<>();
    for (Key<?> key : Keys.all()) {
      lines.add(
          new SettingLine(
              key.name(),
              Kind.show(current.get(key)),
              Kind.show(key.otherwise()),
              key.kind().wanted(),
              choices(key.otherwise()),
              key.does(),
              key.costs(),
              source(key),
              key.isForPage() && mayChange(key),
              page.given(key) != null));
    }
    return lines;
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
  private String source(Key<?> key) {
    if (!current.isGiven(key)) {
      return "default";
    }
    if (!mayChange(key) && !wanted.get(key).equals(current.get(key))) {
      return "as when the JVM started";
    }
    if (page.given(key) != null) {
      return "this page";
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
    Given given = application.given(key);
    String place = given == null ? null : given.place();
    return place == null ? "default" : place;
  }

  private boolean mayChange(Key<?> key) {
    return key.mayChange(woven.get(key));
  }

  private List<Layer> layers() {
    return List.of(application, environment, properties, file, page);
  }
}
