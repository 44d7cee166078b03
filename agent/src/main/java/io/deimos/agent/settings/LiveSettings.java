// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The settings in force, and what they are made of. System properties go before environment
 * variables before the application's HOCON. Safe for any thread.
 */
public final class LiveSettings {
  private final Layer environment;
  private final Layer properties;
  private final Consumer<String> problems;
  private final List<Consumer<Settings>> listeners = new CopyOnWriteArrayList<>();
  private Layer application;
  private volatile Settings current;

  private LiveSettings(
      Layer environment, Layer properties, Layer application, Consumer<String> problems) {
    this.environment = environment;
    this.properties = properties;
    this.application = application;
    this.problems = problems;
    this.current = new SettingsReader(layers(), problems).read();
  }

  /**
   * Reads the settings when the JVM starts.
   *
   * @param loader where the application's HOCON is looked for
   */
  public static LiveSettings read(
      Map<String, String> properties,
      Map<String, String> environment,
      ClassLoader loader,
      Consumer<String> problems) {
    Layer given = Layer.ofProperties(properties);
    return new LiveSettings(
        Layer.ofEnvironment(environment),
        given,
        ApplicationConfig.atStart(loader, problems).without(given),
        problems);
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
    application = said.without(properties).placedAs(application);
    Settings wanted = new SettingsReader(layers(), problems).read();
    List<String> late = new ArrayList<>();
    Settings next = wanted;
    for (Key<?> key : Keys.all()) {
      if (!key.isLive() && !wanted.get(key).equals(current.get(key))) {
        late.add(key.name() + "=" + Kind.show(wanted.get(key)));
        next = keep(next, key);
      }
    }
    if (!late.isEmpty()) {
      problems.accept(
          "the configuration of "
              + whose
              + " was not known when the JVM started, so this in it has no effect: "
              + String.join(", ", late)
              + ". Put it into application.conf on the class path, or give it as a system property");
    }
    apply(next);
  }

  private <T> Settings keep(Settings next, Key<T> key) {
    return next.with(key, current.get(key));
  }

  private void apply(Settings next) {
    if (!next.equals(current)) {
      current = next;
      listeners.forEach(told -> told.accept(next));
    }
  }

  private List<Layer> layers() {
    return List.of(application, environment, properties);
  }
}
