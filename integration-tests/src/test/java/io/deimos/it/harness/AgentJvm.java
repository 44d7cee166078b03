// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JVM with or without the agent, started for a test and never left behind. Its output is kept,
 * and copied to {@code target/jvms}.
 */
public final class AgentJvm implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final Duration GRACE = Duration.ofSeconds(30);

  /**
   * JVMs that have printed nothing yet. More of them at a time are not there any sooner, and what
   * Pekko does against the clock when it starts fails.
   */
  private static final Semaphore STARTING = new Semaphore(3);

  private static final Duration TURN = Duration.ofSeconds(20);

  /**
   * The instrumentations of the OpenTelemetry agent that have a part in an application of Pekko and
   * the JDK alone.
   */
  private static final List<String> OF_THE_JDK =
      List.of(
          "executors",
          "internal-class-loader",
          "internal-lambda",
          "internal-reflection",
          "internal-url-class-loader",
          "java-http-client",
          "java-http-server",
          "logback-appender",
          "logback-mdc",
          "opentelemetry-api",
          "opentelemetry-instrumentation-annotations",
          "runtime-telemetry",
          "scala-fork-join");

  private final String name;
  private final Process process;
  private final Eventually output = new Eventually();
  private final List<String> out = Collections.synchronizedList(new ArrayList<>());
  private final List<String> err = Collections.synchronizedList(new ArrayList<>());
  private final List<Thread> readers;
  private final Thread killer;
  private final AtomicBoolean isStarting;

  /**
   * A JVM.
   *
   * @param hasTurn whether it has one of the permits of {@link #STARTING}
   */
  private AgentJvm(String name, Process process, boolean hasTurn) {
    this.name = name;
    this.process = process;
    this.isStarting = new AtomicBoolean(hasTurn);
    Path directory = Layout.target().resolve("jvms");
    readers =
        List.of(
            reader(process.getInputStream(), out, directory.resolve(name + ".out")),
            reader(process.getErrorStream(), err, directory.resolve(name + ".err")));
    killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
  }

  public static Builder on(Jdk jdk) {
    return new Builder(jdk);
  }

  private Thread reader(InputStream from, List<String> to, Path copy) {
    Thread thread =
        new Thread(
            () -> {
              try (BufferedReader lines =
                      new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8));
                  Writer file = Files.newBufferedWriter(copy)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  to.add(line);
                  file.write(line + "\n");
                  file.flush();
                  output.changed();
                  if (to == out) {
                    started();
                  }
                }
              } catch (IOException e) {
                to.add("(reading stopped: " + e + ")");
              }
              started();
              output.changed();
            },
            "reader of " + copy.getFileName());
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void started() {
    if (isStarting.getAndSet(false)) {
      STARTING.release();
    }
  }

  /** Writes one line to the JVM's standard input. */
  public AgentJvm tell(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(name + " takes no input\n" + transcript(), e);
    }
  }

  /**
   * Writes a line to an application that answers each of them by one that begins with {@code @}.
   *
   * @return the answer
   */
  public String ask(String command, Duration deadline) {
    int before = answers().size();
    tell(command);
    output.await(
        () -> answers().size() > before || (!process.isAlive() && readersDone()),
        deadline,
        () -> "no answer to " + command + "\n" + transcript());
    List<String> all = answers();
    if (all.size() <= before) {
      throw new AssertionError(
          name + " ended without an answer to " + command + "\n" + transcript());
    }
    return all.get(before);
  }

  /** The application's output in lines that begin with {@code @}. */
  public List<String> answers() {
    synchronized (out) {
      return out.stream().filter(line -> line.startsWith("@")).toList();
    }
  }

  /** Waits for a line of standard output, which it returns. */
  public String awaitOut(String what, Predicate<String> line) {
    return awaitLine(what, out, line);
  }

  /** Waits for a line of standard error, which it returns. */
  public String awaitErr(String what, Predicate<String> line) {
    return awaitLine(what, err, line);
  }

  private String awaitLine(String what, List<String> in, Predicate<String> wanted) {
    output.await(
        () -> find(in, wanted) != null || (!process.isAlive() && readersDone()),
        Eventually.DEADLINE,
        () -> name + " did not print " + what + "\n" + transcript());
    String found = find(in, wanted);
    if (found == null) {
      throw new AssertionError(name + " ended without printing " + what + "\n" + transcript());
    }
    return found;
  }

  private boolean readersDone() {
    return readers.stream().noneMatch(Thread::isAlive);
  }

  private static @Nullable String find(List<String> lines, Predicate<String> wanted) {
    synchronized (lines) {
      return lines.stream().filter(wanted).findFirst().orElse(null);
    }
  }

  /** Waits until the JVM ends by itself; returns its exit code. */
  public int awaitExit() {
    return awaitExit(Eventually.DEADLINE);
  }

  public int awaitExit(Duration deadline) {
    try {
      if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(name + " did not end within " + deadline + "\n" + transcript());
      }
      for (Thread reader : readers) {
        reader.join(GRACE.toMillis());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + name, e);
    }
  }

  /** Runs a scenario, with what else is on the line for it. */
  public AgentJvm run(String scenario) {
    String end = attempt(scenario);
    if (!end.startsWith("@done ")) {
      throw new AssertionError(end + "\n" + transcript());
    }
    return this;
  }

  /** Runs a scenario that may fail, and returns the line that it ends with. */
  public String attempt(String scenario) {
    String name = scenario.split(" ", 2)[0];
    tell("run " + scenario);
    return awaitOut(
        "the end of " + name,
        l -> l.equals("@done " + name) || l.startsWith("@failed " + name + " "));
  }

  /** Has the application end, and waits for it. */
  public void end() {
    tell("end");
    int code = awaitExit();
    if (code != 0) {
      throw new AssertionError("exit code " + code + "\n" + transcript());
    }
  }

  /** Asks the JVM to end, as Ctrl-C does, and waits for it. */
  public int stop() {
    process.destroy();
    return awaitExit();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public long pid() {
    return process.pid();
  }

  /** Sends it a signal: {@code STOP} to stand still, {@code CONT} to go on. */
  public void signal(String name) {
    Program.run("kill", "-" + name, Long.toString(pid())).succeeds();
  }

  public List<String> out() {
    synchronized (out) {
      return List.copyOf(out);
    }
  }

  public List<String> err() {
    synchronized (err) {
      return List.copyOf(err);
    }
  }

  /** Whether a line says that something is wrong, and not just where things are. */
  public static boolean isComplaint(String line) {
    return line.startsWith("deimos:")
        && !line.startsWith("deimos: page at ")
        && !line.startsWith("deimos: setting ")
        && !line.startsWith("deimos: preset ")
        && !line.startsWith("deimos: incident=")
        && !line.endsWith(" are exported again")
        && !line.startsWith("deimos: the clock is the processor's counter, ")
        && !line.startsWith("deimos: spans of actors are exported ");
  }

  /** The mistakes that it has named. */
  public List<String> complaints() {
    return err().stream().filter(AgentJvm::isComplaint).toList();
  }

  /** Lines about Deimos, wherever they were printed. */
  public List<String> messages() {
    List<String> all = new ArrayList<>(err());
    all.addAll(out());
    return all.stream().filter(l -> l.toLowerCase(Locale.ROOT).contains("deimos")).toList();
  }

  public String transcript() {
    return "--- stdout of "
        + name
        + "\n"
        + String.join("\n", out())
        + "\n--- stderr of "
        + name
        + "\n"
        + String.join("\n", err())
        + "\n---";
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().removeShutdownHook(killer);
  }

  /** The program to start, and its arguments. */
  public static final class Builder {
    private final Jdk jdk;
    private final List<String> options = new ArrayList<>();
    private final Map<String, String> properties = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private List<Path> classPath = Layout.scenarioClassPath();
    private List<String> main = List.of("scenarios.Main");
    private List<String> prefix = List.of();
    private boolean isPekkoAlone;
    private List<String> ofTheJdk = OF_THE_JDK;
    private List<String> libraries = List.of();
    private @Nullable Path directory;

    private Builder(Jdk jdk) {
      this.jdk = jdk;
    }

    public Builder agent(Path jar) {
      options.add("-javaagent:" + jar);
      return this;
    }

    /** An agent with options behind its jar. */
    public Builder agent(Path jar, String given) {
      options.add("-javaagent:" + jar + "=" + given);
      return this;
    }

    /** The agent as users get it, with no page and nothing exported but what is asked for. */
    public Builder deimos() {
      return agent(Layout.deimos()).quiet();
    }

    /** Deimos without the OpenTelemetry agent. */
    public Builder lean() {
      return agent(Layout.lean()).quiet();
    }

    /**
     * The agent in a test that would say the same of {@code deimos.jar} and of the lean form; see
     * {@link Layout#eitherForm}.
     */
    public Builder eitherForm() {
      return agent(Layout.eitherForm()).quiet();
    }

    /**
     * For tests of many JVMs: {@code deimos.jar} in some of them, and in the others {@link
     * #eitherForm}.
     */
    public Builder form(boolean isFull) {
      return isFull ? deimos() : eitherForm();
    }

    /** For tests on each JDK: {@code deimos.jar} on that of the build. */
    public Builder formByJdk() {
      return form(jdk.equals(Jdk.own()));
    }

    /** The OpenTelemetry agent with Deimos as its extension. */
    public Builder extension() {
      return agent(Layout.upstreamAgent())
          .property("otel.javaagent.extensions", Layout.extension().toString())
          .quiet();
    }

    /** The agent of the last release, see {@link Layout#release}. */
    public Builder release() {
      return agent(Layout.release()).quiet();
    }

    private Builder quiet() {
      return property("deimos.page.enabled", "false")
          .property("otel.logs.exporter", "none")
          .property("deimos.self-test.wait", "0s");
    }

    /** With a page on a free port. */
    public Builder page() {
      return property("deimos.page.enabled", "true").property("deimos.page.port", "0");
    }

    /** Sends spans to a receiver, soon; metrics only if {@link #metricsEvery} is called too. */
    public Builder exportTo(OtlpReceiver receiver) {
      return property("otel.exporter.otlp.endpoint", receiver.endpoint())
          .property("otel.exporter.otlp.protocol", "http/protobuf")
          .property("otel.exporter.otlp.compression", "gzip")
          .property("otel.bsp.schedule.delay", "50")
          .property("otel.metrics.exporter", "none");
    }

    public Builder metricsEvery(Duration interval) {
      return property("otel.metrics.exporter", "otlp")
          .property("otel.metric.export.interval", Long.toString(interval.toMillis()));
    }

    /** Sends log records too, soon. */
    public Builder logs() {
      return property("otel.logs.exporter", "otlp").property("otel.blrp.schedule.delay", "50");
    }

    public Builder property(String key, String value) {
      properties.put(key, value);
      return this;
    }

    public Builder without(String key) {
      properties.remove(key);
      return this;
    }

    public Builder environment(String key, String value) {
      environment.put(key, value);
      return this;
    }

    /** Gives the value of a system property as an environment variable, and takes it away. */
    public Builder environmentFrom(String variable, String property) {
      environment.put(variable, String.valueOf(properties.remove(property)));
      return this;
    }

    public Builder option(String option) {
      options.add(option);
      return this;
    }

    /** Started by this command, such as {@code ip netns exec name}. */
    public Builder within(String... command) {
      prefix = List.of(command);
      return this;
    }

    /** Takes the agents away again, but not their settings. */
    public Builder withoutAgents() {
      options.removeIf(option -> option.startsWith("-javaagent:"));
      return this;
    }

    /** Where it is started, if not where the tests are. */
    public Builder directory(Path of) {
      directory = of;
      return this;
    }

    public Builder classPath(List<Path> jars) {
      classPath = jars;
      return this;
    }

    public Builder runs(String... classAndArguments) {
      main = List.of(classAndArguments);
      return this;
    }

    /** Says that the application uses no library but Pekko, whatever its class path has. */
    public Builder pekkoAlone() {
      return pekkoAnd();
    }

    /** The same for one with these libraries, by the names of their instrumentations. */
    public Builder pekkoAnd(String... used) {
      isPekkoAlone = true;
      libraries = List.of(used);
      return this;
    }

    /** The same, and of the JDK nothing that the OpenTelemetry agent could add but this. */
    public Builder pekkoAndOnly(String... used) {
      ofTheJdk = List.of();
      return pekkoAnd(used);
    }

    /**
     * An application with no library but Pekko starts without the instrumentations of other
     * libraries, in two thirds of the processor's time. The lean form has none of them.
     */
    private Map<String, String> instrumentations() {
      String all = "otel.instrumentation.common.default-enabled";
      Map<String, String> only = new LinkedHashMap<>();
      boolean isAlone = isPekkoAlone || classPath.equals(Layout.scenarioClassPath());
      if (isAlone && !isLean() && !properties.containsKey(all)) {
        only.put(all, "false");
        Stream.concat(ofTheJdk.stream(), libraries.stream())
            .forEach(name -> only.put("otel.instrumentation." + name + ".enabled", "true"));
        properties.keySet().forEach(only::remove);
      }
      return only;
    }

    private boolean isLean() {
      return options.contains("-javaagent:" + Layout.lean());
    }

    public AgentJvm start(String name) {
      List<String> command = new ArrayList<>(prefix);
      command.add(jdk.java().toString());
      command.add("-Xmx512m");
      command.add("-XX:+UseSerialGC");
      command.add("-XX:TieredStopAtLevel=1");
      command.add("-XX:MetaspaceSize=160m"); // no full collections while classes are loaded
      command.add("-Dpekko.logger-startup-timeout=60s"); // the machine may be busy
      List<Path> inOrder = ClassArchive.inFront(classPath);
      if (canHaveArchive()) {
        command.addAll(ClassArchive.options(isLean(), inOrder));
      }
      command.addAll(options);
      instrumentations().forEach((k, v) -> command.add("-D" + k + "=" + v));
      properties.forEach((k, v) -> command.add("-D" + k + "=" + v));
      if (!inOrder.isEmpty()) {
        command.add("-cp");
        command.add(Layout.joined(inOrder));
      }
      command.addAll(main);
      String unique = String.format("%03d-%s-%s", NUMBER.incrementAndGet(), name, jdk);
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.directory(directory == null ? null : directory.toFile());
      builder.environment().keySet().removeIf(Builder::configuresJvm);
      builder.environment().putAll(environment);
      builder.environment().put("IT_JVM", unique); // for who looks at processes from outside
      boolean hasTurn = awaitTurn();
      try {
        Files.createDirectories(Layout.target().resolve("jvms"));
        return new AgentJvm(unique, builder.start(), hasTurn);
      } catch (IOException e) {
        STARTING.release(hasTurn ? 1 : 0);
        throw new UncheckedIOException("cannot start " + unique, e);
      }
    }

    /** With Deimos, no other agent and no archive of its own, on the JDK that archives are for. */
    private boolean canHaveArchive() {
      return jdk.equals(Jdk.own())
          && (isLean() || options.contains("-javaagent:" + Layout.deimos()))
          && options.stream().filter(o -> o.startsWith("-javaagent:")).count() == 1
          && options.stream().noneMatch(o -> o.startsWith("-agentpath:") || o.contains("Archive"));
    }

    /** Goes on without one if others take very long. */
    private static boolean awaitTurn() {
      try {
        return STARTING.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted before a JVM could start", e);
      }
    }

    /** Settings of the shell that runs the tests must not slip into what is tested. */
    private static boolean configuresJvm(String variable) {
      return variable.startsWith("OTEL_")
          || variable.startsWith("DEIMOS_")
          || variable.equals("JAVA_TOOL_OPTIONS")
          || variable.equals("JDK_JAVA_OPTIONS");
    }
  }
}
