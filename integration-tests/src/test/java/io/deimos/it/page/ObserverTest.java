// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Browser;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.RunningPage;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Single actors of the running sample: by the interface and on the command line. */
@OnOneJdk
class ObserverTest {
  private final Jdk jdk;

  ObserverTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void shop_itsActors_areKnownOneByOne() throws IOException, InterruptedException {
    Path jar = Layout.root().resolve("samples/shop/target/shop.jar");
    try (AgentJvm jvm =
        AgentJvm.on(jdk)
            .eitherForm()
            .page()
            .property("deimos.page.traces-per-second", "100000")
            .property("shop.http.port", "0")
            .property("shop.load.stock-moves-per-second", "100")
            .property("deimos.content.messages", "shop.PaymentActor$Charge")
            .property("deimos.content.logs", "info")
            .property("deimos.content.state", "shop.RecentOrders,shop.ShopEvent*")
            .property("shop.payment.late-share", "0.05")
            .classPath(List.of())
            .runs("-jar", jar.toString())
            .start("observer")) {
      RunningPage page = RunningPage.of(jvm);
      Config cart = awaitCart(page);
      assertThat(cart.getString("class")).isEqualTo("shop.ShoppingCart");
      assertThat(cart.getLong("messages")).isPositive();
      assertThat(cart.getInt("mailbox")).as("its mailbox was looked into").isNotNegative();
      assertThat(cart.getLong("madeAtMillis")).isPositive();

      String path = URLEncoder.encode(cart.getString("path"), StandardCharsets.UTF_8);
      Config one = page.json("/api/v1/actors/" + path);
      assertThat(one.getInt("id")).isEqualTo(cart.getInt("id"));
      assertThat(one.getString("dispatcher")).isEqualTo("pekko.actor.default-dispatcher");
      assertThat(one.getString("mailboxType")).endsWith("MessageQueue");
      assertThat(one.getConfigList("received"))
          .anySatisfy(
              received -> {
                assertThat(received.getString("class")).startsWith("shop.");
                assertThat(received.getLong("processingNanos")).isPositive();
                assertThat(received.getString("traceId")).hasSize(32);
              });
      assertThat(one.getConfigList("senders")).isNotEmpty();

      // The tree: the cart is a child of its shard, and that one is Pekko's.
      String shard = cart.getString("path").replaceAll("/[^/]*$", "");
      Config below =
          page.json("/api/v1/actors?parent=" + URLEncoder.encode(shard, StandardCharsets.UTF_8));
      assertThat(below.getConfigList("actors"))
          .extracting(child -> child.getString("path"))
          .contains(cart.getString("path"));
      assertThat(page.json("/api/v1/actors?q=cart&limit=500").getConfigList("actors"))
          .noneMatch(actor -> actor.getBoolean("pekko"));

      commandLine_actors_areATable(page);
      commandLine_traces_leadToTheirSpans(page);
      differences_ofSlowTraces_nameTheLatePayments(page);
      map_hasWhoTellsThePayments(page);
      browser_findsTheCulprit(page);
    }
  }

  private static Config awaitCart(RunningPage page) {
    return page.await(
            "/api/v1/actors?class=ShoppingCart&sort=-messages",
            said ->
                said.getConfigList("actors").stream()
                    .limit(1)
                    .anyMatch(cart -> cart.getLong("messages") > 0 && !cart.getIsNull("mailbox")))
        .getConfigList("actors")
        .get(0);
  }

  private void map_hasWhoTellsThePayments(RunningPage page)
      throws IOException, InterruptedException {
    List<? extends Config> edges = page.json("/api/v1/map?q=PaymentActor").getConfigList("edges");
    assertThat(edges)
        .anySatisfy(
            edge -> {
              assertThat(edge.getString("to")).isEqualTo("class:shop.PaymentActor");
              assertThat(edge.getLong("messages")).isPositive();
              assertThat(edge.getConfigList("classes")).isNotEmpty();
              assertThat(edge.getString("latest.traceId")).hasSize(32);
            });
    assertThat(said(page, "map", "--find", "PaymentActor").lines().toList())
        .anySatisfy(line -> assertThat(line).contains("-> PaymentActor: "));
  }

  /** Each question by at most four clicks, one by five. */
  private static void browser_findsTheCulprit(RunningPage page)
      throws IOException, InterruptedException {
    assertThat(Browser.looks("culprit.mjs", page.urlWithToken()))
        .contains("what should I fix first: ")
        .contains("who floods PaymentActor: ")
        .contains("which actor is slow and why: ")
        .contains("which actor has the longest mailbox: shop/")
        .contains("why did this payment time out: ")
        .contains("where did this order get lost: ")
        .contains("which shard is hot: ")
        .contains("what does this actor hold: RecentOrders limit = ")
        .contains("which log line belongs to this span: payment of ")
        .contains("why are some slower than others: ")
        .contains("copy a trace as a conversation: sequenceDiagram (")
        .contains("what happened before this failure: Before that, ")
        .contains("which message class burns the processor: ")
        .contains("tracing of one class off: ")
        .contains("look closely, and back: look closely ")
        .contains("of itself: 0 notices, 0 failures, 0 problems");
  }

  private void commandLine_actors_areATable(RunningPage page)
      throws IOException, InterruptedException {
    List<String> said = said(page, "actors", "--class", "PaymentActor").lines().toList();
    assertThat(said.get(0)).contains("MAILBOX", "WAIT P99", "PATH");
    assertThat(said.get(1)).contains("PaymentActor", "pekko://");
  }

  private void commandLine_traces_leadToTheirSpans(RunningPage page)
      throws IOException, InterruptedException {
    List<String> said = said(page, "traces", "actor:ShoppingCart", "--limit", "3").lines().toList();
    assertThat(said.get(0)).contains("DURATION", "TRACE", "NAME");
    Matcher id = Pattern.compile("[0-9a-f]{32}").matcher(said.get(1));
    assertThat(id.find()).as(said.get(1)).isTrue();
    List<String> spans = said(page, "trace", id.group()).lines().toList();
    assertThat(spans.get(1)).contains("AFTER", "SPAN");
    assertThat(spans).hasSizeGreaterThan(2);
    Config groups = page.json("/api/v1/traces/groups?q=actor%3AShoppingCart");
    assertThat(groups.getInt("traces")).isPositive();
    assertThat(groups.getConfigList("groups"))
        .anySatisfy(group -> assertThat(group.getLong("p99Nanos")).isPositive());
    assertThat(page.json("/api/v1/openapi.json").getString("openapi")).startsWith("3.1");
    assertThat(page.tool("actors"))
        .as("for assistants")
        .contains("\"isError\":false", "shop.ShoppingCart");
  }

  /** One payment of twenty is late, beyond the patience of its cart. */
  private static void differences_ofSlowTraces_nameTheLatePayments(RunningPage page) {
    Config compared =
        page.await(
            "/api/v1/traces/compare?q=duration%3E900ms",
            said ->
                said.getConfigList("differences").stream()
                    .limit(1)
                    .anyMatch(first -> names(first, "event", "pekko.ask_timeout")));
    Config first = compared.getConfigList("differences").get(0);
    assertThat(first.getDouble("selectedShare")).isGreaterThan(first.getDouble("restShare"));
    assertThat(first.getDouble("certain")).isPositive();
    assertThat(page.get("/api/v1/traces/" + first.getString("example")).body())
        .contains("pekko.ask_timeout");
  }

  /** Whether a difference is that of a value, or of one in the very same traces. */
  private static boolean names(Config difference, String field, String value) {
    return Stream.concat(Stream.of(difference), difference.getConfigList("also").stream())
        .anyMatch(
            one -> one.getString("field").equals(field) && one.getString("value").equals(value));
  }

  /** The output of a command on this page. */
  private String said(RunningPage page, String... arguments) {
    return page.command(jdk, arguments).succeeds();
  }
}
