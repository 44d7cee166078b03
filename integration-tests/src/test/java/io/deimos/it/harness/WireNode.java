// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** One JVM of the wire rows' application: its actor systems, by the name of their transport. */
public final class WireNode implements AutoCloseable {
  private final AgentJvm jvm;
  private final Map<String, String> addresses = new TreeMap<>();

  private WireNode(AgentJvm jvm) {
    this.jvm = jvm;
  }

  public static WireNode start(
      String name, OtlpReceiver receiver, UnaryOperator<AgentJvm.Builder> how) {
    return start(Jdk.own(), name, receiver, how);
  }

  /**
   * Starts a JVM whose spans say that they are of the service {@code name}.
   *
   * @param how adds the agent, if any, and settings
   */
  public static WireNode start(
      Jdk jdk, String name, OtlpReceiver receiver, UnaryOperator<AgentJvm.Builder> how) {
    AgentJvm.Builder builder =
        AgentJvm.on(jdk)
            .classPath(WireLayout.classPath())
            .exportTo(receiver)
            .property("otel.service.name", name)
            .pekkoAndOnly("executors", "opentelemetry-api")
            .property("wire.late", String.valueOf(!name.equals("a")))
            .property("config.file", WireLayout.configuration().toString())
            .property("wire.keys", WireLayout.keys(jdk).toString())
            .option("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED")
            .option("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED")
            .runs("wire.Node");
    return new WireNode(how.apply(builder).start("wire-" + name));
  }

  /** Opens actor systems, one per transport. */
  public WireNode open(String... systems) {
    Arrays.stream(systems).forEach(system -> jvm.tell("open " + system));
    for (String system : systems) {
      String line =
          await("that " + system + " is open", "@opened " + system + " ", "open " + system);
      addresses.put(system, line.substring(line.lastIndexOf(' ') + 1));
    }
    return this;
  }

  public Set<String> systems() {
    return addresses.keySet();
  }

  public String address(String system) {
    return Objects.requireNonNull(addresses.get(system), system);
  }

  /** Runs a row here, against another node, and waits until it is done. */
  public void run(String system, String row, String peerAddress) {
    jvm.tell("run " + system + " " + row + " " + peerAddress);
    String command = "run " + system + " " + row + " ";
    jvm.awaitOut(
        "the end of " + row + " on " + system,
        line ->
            line.equals("@done " + system + " " + row) || line.startsWith("@failed " + command));
  }

  /** Makes nodes the members of a cluster, of which the first is the oldest. */
  public static void join(String system, List<WireNode> nodes) {
    String seed = nodes.get(0).address(system);
    nodes.forEach(n -> n.jvm.tell("join " + system + " " + seed + " " + nodes.size()));
    nodes.forEach(n -> n.await("that it has joined", "@joined " + system, "join " + system));
  }

  /** Ends a system on these nodes at once. While it is there it takes the processor for nothing. */
  public static void close(String system, List<WireNode> nodes) {
    nodes.forEach(n -> n.jvm.tell("close " + system));
    nodes.forEach(n -> n.await("that it is closed", "@closed " + system, "close " + system));
  }

  /** Tells the node to do something, and waits for its answer. */
  public String await(String what, String answer, String command) {
    return jvm.awaitOut(
        what, line -> line.startsWith(answer) || line.startsWith("@failed " + command));
  }

  public WireNode tell(String line) {
    jvm.tell(line);
    return this;
  }

  public AgentJvm jvm() {
    return jvm;
  }

  /** The dead letters among the messages of the rows. */
  public String deadLetters(String system) {
    jvm.tell("dead " + system);
    return await("its dead letters", "@dead " + system + " ", "dead " + system)
        .substring(("@dead " + system + " ").length());
  }

  public boolean hasDone(String system, String row) {
    return jvm.out().contains("@done " + system + " " + row);
  }

  /** Ends the JVM, which exports first what it still has. */
  public void end() {
    jvm.end();
  }

  public static String transcripts(List<WireNode> nodes) {
    return nodes.stream().map(node -> node.jvm.transcript()).collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    jvm.close();
  }
}
