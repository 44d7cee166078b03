// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.Program;
import io.deimos.it.harness.RunningPage;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application with a message in each place where one can wait: each is found where it is. */
class WhereaboutsTest {
  @AutoClose private static AgentJvm jvm;
  private static RunningPage page;

  @BeforeAll
  static void hold() {
    jvm =
        AgentJvm.on(Jdk.own())
            .agent(Layout.eitherForm())
            .property("deimos.page.port", "0")
            .property("deimos.content.messages", "scenarios.Messages$Work")
            .property("deimos.metrics.gauges.interval", "100ms")
            .classPath(Layout.wholeClassPath())
            .start("whereabouts");
    jvm.tell("run waiting");
    page = RunningPage.of(jvm);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** An answer that will do; those that say to come later are none. */
  private static Config answer(String query, Predicate<Config> willDo) {
    Config[] last = new Config[1];
    Eventually.await(
        () -> {
          HttpResponse<String> response = page.get("/api/v1/where?limit=200&q=" + encoded(query));
          assertThat(response.statusCode()).as(response.body()).isIn(200, 503);
          last[0] = ConfigFactory.parseString(response.body());
          return response.statusCode() == 200 && willDo.test(last[0]);
        },
        () -> query + ": " + last[0]);
    return last[0];
  }

  /** The first match with this fate; waits until there is one. */
  private static Config found(String query, String fate) {
    Predicate<Config> fits = match -> match.getString("fate").equals(fate);
    return answer(query, a -> a.getConfigList("matches").stream().anyMatch(fits))
        .getConfigList("matches")
        .stream()
        .filter(fits)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "message:Messages.Work actor:user/busy text:number=3 | in_mailbox |"
            + " Messages.Work is the 3rd in the mailbox of waiting/user/busy, for ",
        "message:Tick actor:user/typed | in_mailbox |"
            + " Messages.Tick is the next in the mailbox of waiting/user/typed, for ",
        "message:Event | stashed |"
            + " Messages.Event is the next in the stash of waiting/user/stashing, for ",
        "message:Gate.Enter | stashed |"
            + " Gate.Enter is the next in the stash of waiting/user/gate",
        "message:Pong sender:user/front | buffered |"
            + " Messages.Pong is the next that sharding keeps for shard 0 of orders, at "
            + "waiting/system/sharding/orders",
        "message:Ping | ask_open | Messages.Ping was asked of waiting/user/busy and has no answer",
        "message:Boom | ask_open | Messages.Boom was asked of waiting/user/deaf and has no answer",
        "message:Work actor:deaf | ask_open |"
            + " Messages.Work was asked of waiting/user/deaf and has no answer",
        "message:Event actor:deaf | ask_open |"
            + " Messages.Event was asked of waiting/user/deaf and has no answer",
        "message:Gate.Open | ask_open |"
            + " Gate.Open was asked of waiting/user/typed and has no answer",
        "message:Done actor:far | ask_open |"
            + " Messages.Done was asked of far@127.0.0.1:1/user/nobody and has no answer",
        "message:Messages.Open | ask_open |"
            + " Messages.Open was asked of waiting/system/sharding/carts and has no answer",
        "message:Ping actor:pekko://waiting/user/busy | in_mailbox |"
            + " Messages.Ping is the 4th in the mailbox of waiting/user/busy, for ",
        "message:Work actor:user/busy | processing |"
            + " waiting/user/busy is processing Messages.Work for ",
        "message:Begin | processed | Messages.Begin was processed by waiting/user/front in ",
        "message:Done actor:far | outbound |"
            + " Messages.Done waits to be sent to far@127.0.0.1:1/user/nobody",
      })
  void message_inEachPlace_isFoundThere(String query, String fate, String story) {
    Config match = found(query, fate);
    assertThat(match.getString("story")).startsWith(story);
  }

  @Test
  void waitingMessage_ofATracedSender_hasItsSenderTraceAndContent() {
    Config match = found("text:number=3", "in_mailbox");
    assertThat(match.getString("senderPath")).isEqualTo("pekko://waiting/user/front");
    assertThat(match.getString("traceId")).hasSize(32);
    assertThat(match.getInt("place")).isEqualTo(3);
    assertThat(match.getLong("waitNanos")).isPositive();
    assertThat(match.getString("content")).isEqualTo("Work[number=3]");
    // A waiting message is in the same trace as a processed one.
    String whole = "trace:" + match.getString("traceId") + " actor:user/front";
    assertThat(found(whole, "processed").getString("actorPath"))
        .isEqualTo("pekko://waiting/user/front");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "message:Ping | it waits in the mailbox of the actor that was asked",
        "message:Boom | the actor that was asked took it and has not answered",
        "message:Done actor:far | there is no connection to the other node: it never left",
        "message:Messages.Open | it waits in a buffer of sharding",
      })
  void askWithoutAnAnswer_saysWhereItIs(String query, String where) {
    Config ask =
        answer(
                query,
                a ->
                    a.getConfigList("matches").stream()
                        .anyMatch(match -> match.getString("story").contains(where)))
            .getConfigList("matches")
            .stream()
            .filter(match -> match.getString("fate").equals("ask_open"))
            .findFirst()
            .orElseThrow();
    assertThat(ask.getString("story"))
        .contains(" of 600 s; " + where + ", sent by waiting/user/front.");
    assertThat(ask.getLong("timeoutNanos")).isEqualTo(600_000_000_000L);
    assertThat(ask.getLong("processingNanos")).isPositive();
    assertThat(ask.getString("senderPath")).endsWith("/user/front");
    assertThat(ask.getString("traceId")).hasSize(32);
  }

  @Test
  void neverSent_saysWhatWasLookedAtAndWhatNot() {
    found("message:Begin", "processed");
    Config never = answer("message:NoSuchThing", a -> true);
    assertThat(never.getInt("total")).isZero();
    assertThat(never.getInt("looked.records")).isPositive();
    assertThat(never.getInt("looked.actors")).isPositive();
    assertThat(never.getInt("looked.waiting")).isGreaterThanOrEqualTo(3);
    assertThat(never.getStringList("notLookedAt")).isNotEmpty();
  }

  @Test
  void commandLine_where_isALine() throws IOException, InterruptedException {
    found("message:Event", "stashed");
    String said = said("where", "message:Event");
    while (said.contains("; ask again in ")) { // this class asks often
      said = said("where", "message:Event");
    }
    assertThat(said)
        .contains("stashed      Messages.Event is the next in the stash of waiting/user/stashing")
        .contains("looked at: ");
  }

  @Test
  void commandLine_tap_printsTheNextWithContentWhereThatIsRecorded()
      throws IOException, InterruptedException {
    found("actor:user/echo", "processed");
    assertThat(said("tap", "--class", "*Work", "--to", "/user/echo", "--count", "2"))
        .contains("scenarios.Messages$Work to pekko://waiting/user/echo")
        .contains(" says Work[number=19]")
        .contains("2 messages, 0 more that the rate left out; ended by count");
  }

  private static String said(String... arguments) {
    Program command = page.command(Jdk.own(), arguments);
    assertThat(command.code())
        .as(command.said())
        .isEqualTo(command.said().contains("; ask again in ") ? 1 : 0);
    return command.said();
  }
}
