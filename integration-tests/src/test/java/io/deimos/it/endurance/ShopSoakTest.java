// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OtlpReceiver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The sample on three nodes, under its own load: again and again the oldest node, which has the
 * coordinator, is stopped and replaced, so that shards move; once it is killed. For {@code
 * -Ddeimos.soak.seconds}, {@value #SHORT_SECONDS} by default; {@code integration-tests/soak} has it
 * run for ten minutes.
 */
class ShopSoakTest {
  private static final int SHORT_SECONDS = 30;
  private static final int NODES = 3;
  private static final int MAX_AGE_SECONDS = 10;
  private static final int SECONDS_BETWEEN_STOPS = 15;
  private static final int SIGTERM = 143;

  /** Messages to a cart from the node that has its customer. */
  private static final Set<String> OF_CUSTOMERS =
      Set.of("process AddItem", "process GetCart", "process Checkout");

  private final int seconds = Integer.getInteger("deimos.soak.seconds", SHORT_SECONDS);
  private final SoakLedger ledger = new SoakLedger();
  private final Path reports = Layout.target().resolve("soak");
  private final Deque<Node> nodes = new ArrayDeque<>();
  private final List<String> stopped = new ArrayList<>();
  private int started;

  /** One shop: its process, its address in the cluster, the port of its HTTP front. */
  private record Node(String name, AgentJvm jvm, String address, int httpPort) {}

  /** One that has been started and is not open yet. */
  private record Starting(String name, AgentJvm jvm, String address) {}

  @Test
  void shop_whoseNodesAreReplacedAndOneKilled_losesAndKeepsNoTrace() throws IOException {
    Files.createDirectories(reports);
    @Nullable Node killed = null;
    long killedAtNanos = 0;
    int paidBefore = 0;
    int moved;
    try (OtlpReceiver receiver = OtlpReceiver.start(ledger::add)) {
      openTheFirst(receiver);
      long start = System.nanoTime();
      int between = Math.min(SECONDS_BETWEEN_STOPS, seconds / 3);
      while (killed == null
          || stopped.isEmpty()
          || System.nanoTime() - start < seconds * 1_000_000_000L) {
        SoakLoad.goesOnFor(between);
        if (killed == null
            && System.nanoTime() - start > (seconds / 2 - between) * 1_000_000_000L) {
          paidBefore = paid();
          killed = nodes.removeFirst();
          killedAtNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
          killed.jvm().close();
        } else {
          stop(nodes.removeFirst());
        }
        open(receiver);
      }
      SoakLoad.goesOnFor(5); // what was asked last is answered, or not
      while (!nodes.isEmpty()) {
        stop(nodes.removeLast());
      }
      moved =
          (int)
              receiver.points().stream()
                  .filter(p -> p.name().equals("pekko.cluster.sharding.handoff.duration"))
                  .filter(
                      p ->
                          "success"
                              .equals(p.attributes().get("pekko.cluster.sharding.handoff.outcome")))
                  .count();
    } finally {
      nodes.forEach(node -> node.jvm().close());
    }
    Node gone = Objects.requireNonNull(killed, "too short a soak for a node to be killed");
    long goneSince = killedAtNanos + 1_000_000_000L;
    String itsCarts = "/cart-" + gone.httpPort() + "-";
    new SoakVerdict(
            ledger,
            MAX_AGE_SECONDS,
            reports,
            stopped,
            o ->
                o.startNanos() <= goneSince
                    && (o.node().equals(gone.name())
                        || (OF_CUSTOMERS.contains(o.name()) && o.path().contains(itsCarts))))
        .judge(
            reports.resolve("shop-result.txt"),
            List.of(
                "soak of the sample, " + seconds + " s on three nodes, JDK " + Runtime.version(),
                (stopped.size() - NODES) + " nodes stopped and replaced, one killed and replaced",
                "payments answered " + paid() + ", of them before the kill " + paidBefore,
                "exports that tell of shards handed over " + moved));
    assertThat(moved).as("shards were handed over").isPositive();
    assertThat(paid()).as("payments since the kill").isGreaterThan(paidBefore);
  }

  private int paid() {
    return ledger.spansNamed("process PaymentAnswered");
  }

  /** All start at once. Each joins by the one before, so that the first is the oldest. */
  private void openTheFirst(OtlpReceiver receiver) {
    List<Starting> all = new ArrayList<>();
    try {
      for (int i = 0; i < NODES; i++) {
        all.add(start(receiver, i == 0 ? null : all.get(i - 1).address()));
      }
      all.forEach(this::awaitOpen);
    } catch (RuntimeException | Error e) {
      all.forEach(node -> node.jvm().close());
      throw e;
    }
  }

  private void open(OtlpReceiver receiver) {
    Starting node = start(receiver, nodes.getLast().address());
    try {
      awaitOpen(node);
    } catch (RuntimeException | Error e) {
      node.jvm().close();
      throw e;
    }
  }

  /**
   * Starts a shop.
   *
   * @param seed null for the one that makes the cluster
   */
  private Starting start(OtlpReceiver receiver, @Nullable String seed) {
    String name = "shop-" + ++started;
    int port = Layout.freePort();
    String address = "pekko://shop@127.0.0.1:" + port;
    boolean isLong = seconds > SHORT_SECONDS;
    AgentJvm jvm =
        AgentJvm.on(Jdk.own())
            .deimos()
            .exportTo(receiver)
            .metricsEvery(Duration.ofSeconds(10))
            .property("otel.service.name", name)
            .property("deimos.tracing.guard.max-age", MAX_AGE_SECONDS + "s")
            .property("deimos.report.file", reports.resolve(name + ".json").toString())
            .property("shop.http.port", "0")
            .property("shop.load.orders-per-second", isLong ? "4" : "2")
            .property("shop.load.stock-moves-per-second", isLong ? "20" : "10")
            .property("pekko.remote.artery.canonical.port", String.valueOf(port))
            .property("pekko.cluster.seed-nodes.0", seed == null ? address : seed)
            .property("pekko.cluster.seed-node-timeout", "1s")
            .property("pekko.cluster.split-brain-resolver.stable-after", "4s")
            .property("pekko.cluster.sharding.rebalance-interval", "2s")
            .classPath(List.of())
            .pekkoAnd("pekko-http")
            .runs("-jar", Layout.root().resolve("samples/shop/target/shop.jar").toString())
            .start(name);
    return new Starting(name, jvm, address);
  }

  private void awaitOpen(Starting node) {
    String open = "shop is open at http://127.0.0.1:";
    String line = node.jvm().awaitOut("that it is open", l -> l.contains(open));
    int http = Integer.parseInt(line.substring(line.indexOf(open) + open.length()).strip());
    nodes.addLast(new Node(node.name(), node.jvm(), node.address(), http));
  }

  private void stop(Node node) {
    AgentJvm jvm = node.jvm();
    assertThat(jvm.stop()).as(jvm.transcript()).isEqualTo(SIGTERM);
    assertThat(jvm.complaints()).isEmpty();
    stopped.add(node.name());
  }
}
