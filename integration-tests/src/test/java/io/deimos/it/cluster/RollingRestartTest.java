// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * A cluster whose members are restarted one after the other, or killed and replaced, with our
 * transport and without, beside stock Artery of two versions of Pekko, while all members send to
 * each other.
 */
class RollingRestartTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String RUNS = "deimos.remote moves the bytes of Artery tcp";

  /** The class path of a node. */
  private enum Kind {
    STOCK_OF_OLD_PEKKO,
    STOCK,
    OURS
  }

  private final Map<String, AgentJvm> members = new LinkedHashMap<>();
  private final Map<String, String> addresses = new LinkedHashMap<>();

  /** From whom to whom, by the flow's name. */
  private final Map<String, List<String>> flows = new LinkedHashMap<>();

  private int restarts;

  @Test
  void cluster_restartedMemberByMember_losesNothingBetweenMembersThatAreThere() {
    try {
      start("a", Kind.STOCK_OF_OLD_PEKKO, 0);
      start("b", Kind.STOCK, 0);
      start("c", Kind.STOCK, 0);
      allSend();
      restart("c", Kind.OURS);
      restart("b", Kind.OURS);
      restart("c", Kind.STOCK); // the way back
      List.copyOf(flows.keySet()).forEach(this::finish);
    } finally {
      members.values().forEach(AgentJvm::close);
    }
  }

  @Test
  void cluster_memberKilledAndReplaced_losesNothingBetweenSurvivors() {
    try {
      start("a", Kind.STOCK_OF_OLD_PEKKO, 0);
      start("b", Kind.OURS, 0);
      start("c", Kind.OURS, 0);
      allSend();
      replace("c", Kind.STOCK);
      replace("c", Kind.OURS); // what is killed now is stock Artery
      List.copyOf(flows.keySet()).forEach(this::finish);
    } finally {
      members.values().forEach(AgentJvm::close);
    }
  }

  private void allSend() {
    for (String from : members.keySet()) {
      members.keySet().stream().filter(to -> !to.equals(from)).forEach(to -> send(from, to));
    }
  }

  private void start(String name, Kind kind, int port) {
    AgentJvm.Builder builder =
        AgentJvm.on(Jdk.own())
            .classPath(
                kind == Kind.STOCK_OF_OLD_PEKKO
                    ? Layout.oldClusterClassPath()
                    : Layout.clusterClassPath())
            .pekkoAlone()
            .property("pekko.remote.artery.canonical.port", String.valueOf(port))
            .runs("transport.LoadNode");
    if (kind == Kind.OURS) {
      builder
          .form(name.equals("b"))
          .property("deimos.tracing.enabled", "false")
          .property("deimos.metrics.enabled", "false")
          .property("deimos.remote.enabled", "on");
    }
    AgentJvm started = builder.start("rolling-" + name + restarts + "-" + kind);
    members.put(name, started);
    String line = started.awaitOut("its address", l -> l.startsWith("@address "));
    addresses.put(name, line.substring("@address ".length()));
    ask(name, "join " + addresses.get("a"));
    awaitMembers();
    String itself = ask(name, "self").replace("@self", "@peer");
    for (String member : members.keySet()) {
      awaitAnswer(member, "peer " + address(name), itself); // and not the one that was there before
    }
    assertThat(started.out().stream().filter(l -> l.contains(RUNS)).count())
        .isEqualTo(kind == Kind.OURS ? 1 : 0);
  }

  private void awaitMembers() {
    String expected = "@members " + members.size();
    for (String member : members.keySet()) {
      awaitAnswer(member, "members", expected);
    }
  }

  private void awaitAnswer(String member, String command, String expected) {
    List<String> last = new ArrayList<>(List.of(""));
    await(
        () -> {
          last.set(0, ask(member, command));
          return last.get(0).equals(expected);
        },
        () -> "not " + expected + " at " + member + " but " + last + "\n" + transcripts());
  }

  /** All that flows between the others goes on meanwhile. */
  private void restart(String name, Kind kind) {
    restarts++;
    for (String flow : List.copyOf(flows.keySet())) {
      if (from(flow).equals(name)) {
        finish(flow); // what a member said before it left has come
      }
    }
    AgentJvm old = Objects.requireNonNull(members.get(name));
    ask(name, "leave");
    old.awaitExit(PATIENCE);
    haltFlowsTo(name);
    members.remove(name);
    awaitMembers();
    startAgain(name, kind);
  }

  /** All that flows between the others goes on meanwhile, and so does what is sent to nobody. */
  private void replace(String name, Kind kind) {
    restarts++;
    List<String> between = new ArrayList<>();
    for (String flow : List.copyOf(flows.keySet())) {
      awaitMore(flow, 0);
      if (!from(flow).equals(name) && !to(flow).equals(name)) {
        between.add(flow);
      }
    }
    AgentJvm killed = Objects.requireNonNull(members.remove(name));
    killed.close(); // SIGKILL
    assertThat(between).hasSize(members.size() * (members.size() - 1));
    between.forEach(flow -> awaitMore(flow, came(flow)));
    for (String flow : List.copyOf(flows.keySet())) {
      if (from(flow).equals(name)) {
        String got = ask(to(flow), "got " + flow);
        assertThat(got).as("in order, and without a gap").endsWith(" 0 0");
        flows.remove(flow);
      }
    }
    List<String> toNobody = flows.keySet().stream().filter(f -> to(f).equals(name)).toList();
    startAgain(name, kind);
    between.forEach(flow -> awaitMore(flow, came(flow)));
    toNobody.forEach(this::halt);
  }

  /** Waits until more than so many, and a hundred, have come. */
  private void awaitMore(String flow, long than) {
    await(() -> came(flow) > than + 100, () -> flow + " does not go on\n" + transcripts());
  }

  private long came(String flow) {
    return Long.parseLong(ask(to(flow), "got " + flow).split(" ", -1)[2]);
  }

  private void haltFlowsTo(String name) {
    for (String flow : List.copyOf(flows.keySet())) {
      if (to(flow).equals(name)) {
        halt(flow);
      }
    }
  }

  /** Ends a flow that goes to nobody, in the end. */
  private void halt(String flow) {
    ask(from(flow), "halt " + flow);
    flows.remove(flow);
  }

  private void startAgain(String name, Kind kind) {
    int port = Integer.parseInt(address(name).substring(address(name).lastIndexOf(':') + 1));
    start(name, kind, port);
    for (String other : members.keySet()) {
      if (!other.equals(name)) {
        send(name, other);
        send(other, name);
      }
    }
  }

  private void send(String from, String to) {
    String flow = from + "-" + to + "-" + restarts;
    flows.put(flow, List.of(from, to));
    assertThat(ask(from, "send " + flow + " " + address(to))).isEqualTo("@sending " + flow);
  }

  /** Ends a flow, of which every message must have come once and in order. */
  private void finish(String flow) {
    String sent = ask(from(flow), "halt " + flow).split(" ", -1)[2];
    awaitAnswer(to(flow), "got " + flow, "@got " + flow + " " + sent + " 0 0");
    assertThat(Long.parseLong(sent)).isPositive();
    flows.remove(flow);
  }

  private String from(String flow) {
    return Objects.requireNonNull(flows.get(flow)).get(0);
  }

  private String to(String flow) {
    return Objects.requireNonNull(flows.get(flow)).get(1);
  }

  private String address(String name) {
    return Objects.requireNonNull(addresses.get(name));
  }

  private String ask(String name, String command) {
    return Objects.requireNonNull(members.get(name)).ask(command, PATIENCE);
  }

  private String transcripts() {
    return String.join("\n", members.values().stream().map(AgentJvm::transcript).toList());
  }

  private static void await(BooleanSupplier condition, Supplier<String> otherwise) {
    new Eventually().await(condition, PATIENCE, otherwise);
  }
}
