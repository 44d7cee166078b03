// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.deimos.agent.bootstrap.BootClasses;
import io.deimos.agent.bootstrap.OtherAgents;
import io.deimos.agent.bootstrap.Progress;
import io.deimos.agent.control.LiveSettings;
import io.deimos.agent.control.StartConfig;
import io.deimos.agent.lean.LateBuilder;
import io.deimos.agent.lean.LateTransformer;
import io.deimos.agent.lean.LeftOut;
import io.deimos.agent.log.Log;
import io.deimos.agent.log.Printable;
import io.deimos.agent.log.Problems;
import io.deimos.agent.sdk.ConfigurationCheck;
import io.deimos.agent.sdk.ConfigurationModel;
import io.deimos.agent.sdk.FileAdditions;
import io.deimos.agent.sdk.Reasons;
import io.deimos.agent.sdk.SdkProperties;
import io.deimos.agent.settings.ConfigurationFile;
import io.deimos.agent.settings.Instrumentations;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.pekko.BuilderWeaving;
import io.deimos.pekko.PekkoWeaver;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.remote.weave.RemoteClasses;
import io.deimos.remote.weave.RemoteWeaving;
import io.opentelemetry.javaagent.bootstrap.InstrumentationHolder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import java.lang.instrument.Instrumentation;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.bytebuddy.agent.builder.AgentBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Deimos in this process, as the OpenTelemetry agent calls it, in this order: {@link #begin},
 * {@link #customize} or {@link #customizeFile}, {@link #weave}, {@link #sdkReady}; all on the
 * thread that starts the JVM.
 *
 * <p>Each step that fails switches off what it was to set up, says so, and throws nothing.
 */
final class DeimosRuntime {
  /** Where the classes meet that the agent makes by their names, each apart from the others. */
  private static volatile DeimosRuntime current = new DeimosRuntime(false);

  private final Problems problems = new Problems();

  /** Whether no agent is around us. */
  private final boolean isAlone;

  /** Null while nothing is recorded. */
  private @Nullable Composition composition;

  private boolean enabled;
  private boolean isOfFile;

  /** The value of otel.config.file before we took it away, or null if we did not. */
  private @Nullable String withheld;

  private DeimosRuntime(boolean isAlone) {
    this.isAlone = isAlone;
  }

  /** The one that was begun last; before that, one that records nothing. */
  static DeimosRuntime current() {
    return current;
  }

  /** Reads the settings and gets the recorder ready, before any class is woven. */
  static void begin() {
    begin(new DeimosRuntime(false), () -> {});
  }

  /**
   * As {@link #begin()}, where no agent is around us.
   *
   * @param beforeActors awaited before an actor system makes its first actor
   */
  static DeimosRuntime beginAlone(Runnable beforeActors) {
    return begin(new DeimosRuntime(true), beforeActors);
  }

  private static DeimosRuntime begin(DeimosRuntime runtime, Runnable beforeActors) {
    current = runtime;
    runtime.start(beforeActors);
    return runtime;
  }

  private void start(Runnable beforeActors) {
    Map<String, String> properties = properties();
    ConfigurationFile file = configurationFile(properties);
    LiveSettings live =
        LiveSettings.ofProcess(
            properties,
            file,
            problems.from("settings"),
            line -> Log.line(line + " at " + Instant.now()));
    Settings settings = live.current().woven();
    enabled = settings.enabled();
    if (settings.isOn()) {
      RecorderConfig config = StartConfig.of(settings);
      RecorderConfig.use(config); // before anything reads it into a constant
      Composition made = new Composition(settings, live, problems);
      made.begin(config, beforeActors);
      composition = made;
      Progress.begun(made::recordNothing);
      if (isAlone) {
        LeftOut.of(properties, System.getenv(), file, settings, live.given(Keys.INSTRUMENTATIONS))
            .forEach(problems.from("what deimos-lean.jar does not have"));
      }
    }
  }

  private static Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>();
    for (String name : System.getProperties().stringPropertyNames()) {
      properties.put(name, System.getProperty(name, ""));
    }
    return properties;
  }

  /** The file that otel.config.file names. One that the SDK would throw at is kept from it. */
  private ConfigurationFile configurationFile(Map<String, String> properties) {
    ConfigurationFile file =
        ConfigurationFile.of(properties, System.getenv(), problems.from("settings"));
    if (!file.isNamed()) {
      return file;
    }
    file.transport().forEach(DeimosRuntime::handOn);
    String refusal = ConfigurationCheck.refusal(file, knowsAllNames(properties));
    if (refusal != null) {
      boolean isOurs = !BootClasses.isExtension();
      problems.accept(
          ConfigurationFile.KEY
              + "="
              + Printable.shortLine(file.path())
              + " cannot be used: "
              + refusal
              + ". Correct it and restart; until then "
              + (file.refusal() == null ? "OpenTelemetry's part of it" : "it")
              + (isOurs
                  ? " counts as not given, and OTEL_* settings and defaults hold"
                  : " is left to the agent, which may refuse to start"));
      if (isOurs) {
        withheld = System.getProperty(ConfigurationFile.KEY, "");
        System.setProperty(ConfigurationFile.KEY, ""); // goes before the variable, too
      }
    }
    return file;
  }

  /** The transport asks for system properties, which go before what a file says, and variables. */
  private static void handOn(String name, String value) {
    String variable = name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    if (System.getProperty(name) == null && System.getenv(variable) == null) {
      System.setProperty(name, value);
    }
  }

  private static boolean knowsAllNames(Map<String, String> properties) {
    String extensions =
        properties.getOrDefault(
            "otel.javaagent.extensions",
            System.getenv().getOrDefault("OTEL_JAVAAGENT_EXTENSIONS", ""));
    return !BootClasses.isExtension() && extensions.isBlank();
  }

  /** Has a say in how {@code OTEL_*} settings configure the SDK. */
  void customize(AutoConfigurationCustomizer customizer) {
    try {
      customizer.addPropertiesCustomizer(
          config ->
              SdkProperties.of(
                  config,
                  replacedModules(),
                  isActorsOnly(),
                  problems.from("OpenTelemetry's settings")));
      Composition composition = this.composition;
      if (composition != null) {
        composition.join(customizer);
      }
    } catch (Throwable t) {
      problems.failed("taking part in the SDK's configuration", t);
    }
  }

  /** Has a say in how a file configures the SDK. */
  void customizeFile(DeclarativeConfigurationCustomizer customizer) {
    try {
      isOfFile = true;
      ConfigurationModel.edit(customizer, this::edit);
    } catch (Throwable t) {
      problems.failed("taking part in the SDK's configuration by a file", t);
    }
  }

  private void edit(ConfigurationModel model) {
    try {
      List<String> on = isActorsOnly() ? SdkProperties.besideActors() : List.of();
      model.choose(replacedModules(), on, problems);
      Composition composition = this.composition;
      if (composition != null) {
        composition.join(model);
      }
    } catch (Throwable t) {
      problems.failed("taking part in the SDK's configuration by a file", t);
    }
  }

  /** Has a say in the exporters that a file names, when all others have had theirs. */
  void customizeExportersOfFile(DeclarativeConfigurationCustomizer customizer) {
    try {
      Composition composition = this.composition;
      if (composition != null) {
        composition.additions().wrapExportersOf(customizer);
      }
    } catch (Throwable t) {
      problems.failed("taking part in the SDK's configuration by a file", t);
    }
  }

  /** Where the SDK finds what {@link #customizeFile} has named; null if Deimos is off. */
  @Nullable FileAdditions ofFile() {
    Composition composition = this.composition;
    return composition == null ? null : composition.additions().ofFile();
  }

  private boolean isActorsOnly() {
    Composition composition = this.composition;
    return composition != null
        && composition.settings().get(Keys.INSTRUMENTATIONS) == Instrumentations.ACTORS;
  }

  /**
   * The agent's own modules that would pass contexts on a second time. Those for Pekko are not in
   * our jar at all; the one for Akka is, for versions of Akka that we do not know.
   */
  private List<String> replacedModules() {
    Composition composition = this.composition;
    if (composition == null || !composition.settings().tracing()) {
      return List.of();
    }
    return BootClasses.isExtension()
        ? List.of("akka-actor", "pekko-actor", "pekko-remote")
        : List.of("akka-actor");
  }

  /** True if the agent has none of its own modules for Pekko, which would weave mailboxes too. */
  boolean ignoresMailboxes() {
    return !BootClasses.isExtension() || !replacedModules().isEmpty();
  }

  /** True if what Pekko's dispatchers run has its context from what is woven. */
  boolean carriesTasks() {
    Composition composition = this.composition;
    return composition != null && composition.settings().get(Keys.TRACING) && ignoresMailboxes();
  }

  /** Adds the weaving of Pekko, and of its transport where that is asked for. */
  AgentBuilder weave(AgentBuilder builder) {
    AgentBuilder woven = weaveActors(builder);
    try {
      return enabled ? RemoteWeaving.installIfEnabled(woven, problems) : woven;
    } catch (Throwable t) {
      problems.failed("weaving Artery", t);
      return woven;
    }
  }

  private AgentBuilder weaveActors(AgentBuilder builder) {
    try {
      Composition composition = this.composition;
      if (composition == null) {
        return builder;
      }
      return BuilderWeaving.install(
          builder,
          problems,
          choice(composition.settings()),
          ignoresMailboxes() ? InstrumentationHolder.getInstrumentation() : null);
    } catch (Throwable t) {
      problems.failed("weaving Pekko", t);
      return builder;
    }
  }

  private static PekkoWeaver.Choice choice(Settings settings) {
    return new PekkoWeaver.Choice(
        settings.get(Keys.SELF_TEST),
        settings.get(Keys.SELF_TEST_WAIT).toNanos(),
        settings.get(Keys.GAUGES),
        settings.get(Keys.REMOTE),
        settings.get(Keys.STREAMS),
        settings.get(Keys.STAGES),
        settings.get(Keys.REMOTE_METRICS));
  }

  /**
   * As {@link #weave}, where there is no agent with a transformer.
   *
   * @return what is to be done before there are actors, on any thread
   */
  Runnable weaveAlone(Instrumentation instrumentation) {
    if (enabled) {
      instrumentation.addTransformer(
          new LateTransformer(
              RemoteClasses.wanted(problems),
              () -> LateBuilder.make(builder -> RemoteWeaving.install(builder, null, problems)),
              t -> problems.failed("weaving Artery", t)));
    }
    try {
      Composition composition = this.composition;
      if (composition != null) {
        return PekkoWeaver.installAlone(instrumentation, problems, choice(composition.settings()));
      }
    } catch (Throwable t) {
      problems.failed("weaving Pekko", t);
    }
    return () -> {};
  }

  /** Whether anything is recorded, once {@link #begin} has read the settings. */
  boolean isRunning() {
    return composition != null;
  }

  /** Something of a start without an agent around us has failed. */
  void failed(String what, Throwable cause) {
    problems.failed(what, cause);
  }

  /**
   * The SDK could not be made. Woven code goes on without exporters, as far as somebody sees it.
   *
   * @return an SDK in its place; null if nothing is recorded
   */
  @Nullable OpenTelemetrySdk sdkFailed(Throwable cause) {
    Composition composition = this.composition;
    try {
      giveBack();
      return composition == null
          ? null
          : composition.connectWithout(
              Reasons.of(cause), Reasons.culprit(cause, properties(), System.getenv()));
    } catch (Throwable t) {
      recordNothing("OpenTelemetry's SDK", t);
      return null;
    }
  }

  /** Rings that nobody reads are not to be filled. */
  private void recordNothing(String what, Throwable cause) {
    problems.failed(what, cause);
    Composition composition = this.composition;
    if (composition != null) {
      composition.recordNothing();
    }
  }

  /** The SDK is configured and the transformer at work. */
  void sdkReady(AutoConfiguredOpenTelemetrySdk configured) {
    Progress.ready();
    try {
      giveBack();
      if (!BootClasses.isExtension()) {
        OtherAgents.tell(isAlone ? "deimos-lean.jar" : "deimos.jar", problems);
      }
      Composition composition = this.composition;
      if (composition != null) {
        composition.connect(configured.getOpenTelemetrySdk(), isOfFile);
      }
    } catch (Throwable t) {
      recordNothing("recording", t);
    }
  }

  private void giveBack() {
    String before = withheld;
    if (before != null && before.isEmpty()) {
      System.clearProperty(ConfigurationFile.KEY);
    } else if (before != null) {
      System.setProperty(ConfigurationFile.KEY, before);
    }
  }
}
