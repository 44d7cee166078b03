// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.deimos.agent.settings.ConfigurationFile;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.settings.SettingsReader;
import io.deimos.recorder.actors.ActorChoice;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorPolicy;
import io.deimos.recorder.actors.ActorSetting;
import io.deimos.recorder.actors.Marks;
import io.deimos.recorder.actors.MessagePatterns;
import io.deimos.recorder.actors.PathPattern;
import io.deimos.recorder.actors.Sampling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsRulesTest {
  private static final ActorKind CART = ActorKinds.of("shop", "test.Cart", false);
  private static final ActorKind PEKKOS = ActorKinds.of("shop", "org.apache.pekko.X", true);

  private final List<String> problems = new ArrayList<>();

  private SettingsRules rules(Settings settings, String deployment) {
    return new SettingsRules(
        settings,
        Map.of("shop", PathRules.ofDeployment(deployment, problems::add)),
        null,
        ContentRules.of(settings, null),
        null,
        new PatternWatch(settings),
        problems::add);
  }

  private static Settings actors(String hocon) {
    Config table = ConfigFactory.parseString(hocon);
    return Settings.defaults().with(Keys.ACTORS, table);
  }

  private static ActorPolicy at(SettingsRules rules, String path) {
    return rules.actor(CART, "pekko://shop" + path, null);
  }

  @Test
  void showsState_ofAClass_isAsTheSettingNamesIt() {
    assertThat(rules(Settings.defaults(), "{}").showsState("shop.Cart")).isFalse();
    SettingsRules rules =
        rules(Settings.defaults().with(Keys.CONTENT_STATE, List.of("shop.Cart*")), "{}");
    assertThat(rules.showsState("shop.Cart$State")).isTrue();
    assertThat(rules.showsState("other.shop.Cart")).isFalse();
  }

  @Test
  void actor_nothingSaid_usersAreRecordedAndPekkosAreNot() {
    SettingsRules rules = rules(Settings.defaults(), "{}");
    assertThat(at(rules, "/user/cart")).isEqualTo(ActorPolicy.ALL);
    assertThat(rules.actor(PEKKOS, "pekko://shop/system/x", null)).isEqualTo(ActorPolicy.NONE);
  }

  @Test
  void explain_anActor_namesWhoHasTheLastWordOnEach() {
    SettingsRules rules =
        rules(
            actors(
                "\"/user/**\" { tracing = off, metrics = off, lifecycle = on }"
                    + ", \"/user/cart\" { tracing = on, sampling = 0.5 }"),
            "{ \"/cart\": { \"deimos\": { \"metrics\": \"on\", \"messages-never\": [\"a.B\"] } } }");
    assertThat(rules.explain(CART, "pekko://shop/user/cart"))
        .containsExactly(
            new ActorSetting("tracing", "on", "deimos.actors.\"/user/cart\""),
            new ActorSetting("metrics", "on", "pekko.actor.deployment.\"/cart\".deimos"),
            new ActorSetting("lifecycle", "on", "deimos.actors.\"/user/**\""),
            new ActorSetting("sampling", "0.5", "deimos.actors.\"/user/cart\""),
            new ActorSetting("messages-never", "a.B", "pekko.actor.deployment.\"/cart\".deimos"));
    assertThat(rules.explain(CART, "pekko://shop/user/other"))
        .contains(new ActorSetting("metrics", "off", "deimos.actors.\"/user/**\""));
  }

  @Test
  void explain_nothingSaid_isAsItComes() {
    assertThat(rules(Settings.defaults(), "{}").explain(CART, "pekko://shop/user/cart"))
        .containsExactly(
            new ActorSetting("tracing", "on", Keys.TRACING_USER.name() + ", as it comes"),
            new ActorSetting("metrics", "on", Keys.METRICS_USER.name() + ", as it comes"));
  }

  @Test
  void explain_listsSwitchesAndCode_goBeforePaths() {
    Settings settings =
        actors("\"/user/**\" { tracing = on, metrics = on }")
            .with(Keys.ACTOR_CLASSES_NEVER, List.of("test.*"))
            .with(Keys.METRICS, false);
    ActorKind chosen =
        CART.under(
            ActorPolicy.ALL, new ActorChoice(null, null, false, null, null, null, null, false));
    assertThat(rules(settings, "{}").explain(chosen, "pekko://shop/user/cart"))
        .containsExactly(
            new ActorSetting("tracing", "off", "deimos.actor-classes.never"),
            new ActorSetting("metrics", "off", "deimos.metrics.enabled"),
            new ActorSetting(
                "start-traces",
                "only-inside-existing",
                "Deimos.instrument in code, of this actor or of one above it"));
  }

  @Test
  void sampling_ofSeveralPatterns_longestGoesBefore() {
    for (String table :
        List.of(
            "{ \"*\" = 1, \"shop.Tick*\" = 0, \"shop.*\" = 0.5 }",
            "{ \"shop.*\" = 0.5, \"shop.Tick*\" = 0, \"*\" = 1 }")) {
      SettingsRules rules =
          rules(
              Settings.defaults().with(Keys.SAMPLING_MESSAGES, ConfigFactory.parseString(table)),
              "{}");
      assertThat(rules.sampling("shop.Tick$Now")).isEqualTo(Sampling.ofRatio(0));
      assertThat(rules.sampling("shop.Cart")).isEqualTo(Sampling.ofRatio(0.5));
      assertThat(rules.sampling("other.Message")).isEqualTo(Sampling.ofRatio(1));
    }
  }

  @Test
  void actor_patterns_narrowestGoesBefore() {
    SettingsRules rules =
        rules(
            actors(
                """
                "/user/**" { tracing = off, metrics = off }
                "/user/carts/*" { metrics = on }
                "/user/carts/one" { tracing = on, sampling = 0.5, start-traces = only-inside-existing }
                """),
            "{}");
    assertThat(at(rules, "/user/other")).isEqualTo(ActorPolicy.NONE);
    assertThat(at(rules, "/user/carts/two")).isEqualTo(new ActorPolicy(false, true, true, null));
    ActorPolicy one = at(rules, "/user/carts/one");
    assertThat(one.traced()).isTrue();
    assertThat(one.starts()).isFalse();
    assertThat(Objects.requireNonNull(one.sampling()).upperBound())
        .isEqualTo(Long.MAX_VALUE / 2 + 1);
    assertThat(problems).isEmpty();
  }

  @Test
  void actor_deploymentAndCode_goBeforeActors() {
    SettingsRules rules =
        rules(
            actors("\"/user/a\" { tracing = off }"),
            "{\"/a\":{\"deimos\":{\"tracing\":true,\"metrics\":\"off\"}},\"/b\":{\"router\":\"x\"}}");
    assertThat(at(rules, "/user/a")).isEqualTo(new ActorPolicy(true, false, true, null));
    ActorChoice code =
        Objects.requireNonNull(rules.chosen("mine\ndeimos{metrics=on,children=inherit,}"));
    assertThat(code.children()).isTrue();
    assertThat(rules.actor(CART, "pekko://shop/user/a", code)).isEqualTo(ActorPolicy.ALL);
    assertThat(rules.chosen("mine")).isNull();
    assertThat(problems).isEmpty();
  }

  @Test
  void actor_eventsLifecycleAndMessages_areAsSaid() {
    SettingsRules rules =
        rules(
            actors(
                """
                "/user/**" { message-events = off, messages-never = ["*Tick"] }
                "/user/a" { lifecycle = on, messages-only = ["com.acme.*"] }
                """),
            "{}");
    assertThat(at(rules, "/user/b"))
        .isEqualTo(
            new ActorPolicy(
                true,
                true,
                true,
                null,
                false,
                null,
                new MessagePatterns(List.of("*Tick"), List.of())));
    assertThat(at(rules, "/user/a"))
        .isEqualTo(
            new ActorPolicy(
                true,
                true,
                true,
                null,
                false,
                true,
                new MessagePatterns(List.of(), List.of("com.acme.*"))));
    ActorChoice code =
        Objects.requireNonNull(
            rules.chosen("deimos{messages-never=[\"com.acme.A$B\",\"C\"],lifecycle=on,}"));
    assertThat(code.filter())
        .isEqualTo(new MessagePatterns(List.of("com.acme.A$B", "C"), List.of()));
    assertThat(code.lifecycle()).isTrue();
    assertThat(problems).isEmpty();
  }

  @Test
  void actors_wrong_isNamedAndLeftOut() {
    rules(
        actors(
            """
            "/user/a" { tracing = maybe, colour = red }
            "user/b" { tracing = off }
            "/user/**/c" { tracing = off }
            "/user/d" = off
            "/user/e" { messages-only = all }
            """),
        "{}");
    assertThat(problems)
        .hasSize(6)
        .anyMatch(p -> p.contains("messages-only is not a list of patterns"))
        .anyMatch(
            p ->
                p.contains("deimos.actors.\"/user/a\"")
                    && p.contains("tracing=maybe is not on or off"))
        .anyMatch(p -> p.contains("there is no colour"))
        .anyMatch(p -> p.contains("begins with a slash"))
        .anyMatch(p -> p.contains("** stands at the end"))
        .anyMatch(p -> p.contains("\"/user/d\" is not an object"));
  }

  @Test
  void matches_paths() {
    assertThat(fits("/user/*", "/user/a")).isTrue();
    assertThat(fits("/user/*", "/user/a/b")).isFalse();
    assertThat(fits("/user/**", "/user/a/b")).isTrue();
    assertThat(fits("/user/**", "/user")).isFalse();
    assertThat(fits("/user/order-*", "/user/order-17")).isTrue();
    assertThat(fits("/user/order-*", "/user/cart")).isFalse();
    assertThat(fits("/user/a*c*e", "/user/abcde")).isTrue();
    assertThat(fits("/user/a", "/user/a/b")).isFalse();
    assertThat(PathPattern.of("/user/a", true).matches("pekko://s/user/a/b")).isTrue();
    assertThat(PathPattern.of("/user/a", true).matches("pekko://s/user/a")).isTrue();
  }

  private static boolean fits(String pattern, String path) {
    return PathPattern.of(pattern, false).matches("pekko://shop" + path);
  }

  @Test
  void message_listsOfNames() {
    SettingsRules rules =
        rules(
            Settings.defaults()
                .with(Keys.MESSAGES_NEVER, List.of("a.Heart*"))
                .with(Keys.MESSAGES_ALWAYS, List.of("a.Big"))
                .with(Keys.MESSAGES_ONLY, List.of("a.*")),
            "{}");
    assertThat(rules.message("a.Heartbeat")).isEqualTo(Marks.NEVER_TRACED);
    assertThat(rules.message("a.Big")).isEqualTo(Marks.ALWAYS_TRACED);
    assertThat(rules.message("a.Other")).isZero();
    assertThat(rules.message("b.Other")).isEqualTo(Marks.NEVER_TRACED);
  }

  /** Its scalars are texts, and its keys may be in snake case. */
  @Test
  void tables_ofAConfigurationFile_areReadAndMistakesNamedWithTheirLines(@TempDir Path directory)
      throws IOException {
    Path file = directory.resolve("otel.yaml");
    Files.writeString(
        file,
        """
        distribution:
          deimos:
            sampling.messages:
              shop.Order: 0.5
              shop.Item: often
            actors:
              /user/cart: {start_traces: only-inside-existing}
              /user/shop: {tracking: off}
        """);
    Settings settings =
        new SettingsReader(
                List.of(
                    ConfigurationFile.of(
                            Map.of("otel.config.file", file.toString()), Map.of(), problems::add)
                        .layer()),
                problems::add)
            .read();
    assertThat(problems).isEmpty();
    SettingsRules rules = rules(settings, "{}");
    assertThat(at(rules, "/user/cart")).isNotEqualTo(at(rules, "/user/other"));
    assertThat(problems)
        .containsExactlyInAnyOrder(
            "deimos.sampling.messages.\"shop.Item\"=often (otel.yaml: 5) is not a number in [0, 1];"
                + " it is ignored",
            "deimos.actors.\"/user/shop\" (otel.yaml: 8): there is no tracking; the keys for actors"
                + " are tracing, metrics, children, start-traces, sampling, message-events,"
                + " lifecycle, messages-never and messages-only");
  }
}
