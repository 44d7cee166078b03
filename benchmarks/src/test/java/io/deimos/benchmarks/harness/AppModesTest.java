// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppModesTest {
  private final AppModes modes =
      new AppModes(Path.of("/nowhere"), Path.of("/nowhere/deimos.jar"), "http://127.0.0.1:4318");

  @Test
  void modes_noNames_areAll() {
    assertThat(modes.modes(List.of()).stream().map(Mode::name))
        .containsExactly(
            "none",
            "otel",
            "otel-otlp",
            "off",
            "lean",
            "default",
            "page",
            "profile",
            "otlp",
            "joined",
            "joined-page");
  }

  @Test
  void modes_ofALook_areTheSixThatThereIsTimeFor() {
    assertThat(modes.modes(List.of(), true).stream().map(Mode::name))
        .containsExactly("none", "otel", "off", "default", "page", "otlp");
    assertThat(modes.modes(List.of("lean"), true).stream().map(Mode::name)).containsExactly("lean");
  }

  @Test
  void modes_asItComes_hasTheAgentAndNothingElse() {
    Mode asItComes = modes.modes(List.of("default")).get(0);
    assertThat(asItComes.jvmFlags()).containsExactly("-javaagent:/nowhere/deimos.jar");
    assertThat(AppModes.hasPage(asItComes)).isTrue();
    assertThat(AppModes.hasPage(modes.modes(List.of("off")).get(0))).isFalse();
  }

  @Test
  void modes_lean_isTheJarWithoutTheOpenTelemetryAgent() {
    Mode lean = modes.modes(List.of("lean")).get(0);
    assertThat(lean.jvmFlags()).containsExactly("-javaagent:/nowhere/deimos-lean.jar");
    assertThat(AppModes.hasPage(lean)).isTrue();
  }

  @Test
  void modes_profile_hasTheProfileAllTheTime() {
    Mode profile = modes.modes(List.of("profile")).get(0);
    assertThat(profile.jvmFlags())
        .containsExactly("-javaagent:/nowhere/deimos.jar", "-Ddeimos.profile.enabled=true");
    assertThat(AppModes.hasPage(profile)).isTrue();
  }

  @Test
  void modes_otlp_sendsToTheReceiver() {
    for (String name : List.of("otlp", "otel-otlp")) {
      assertThat(modes.modes(List.of(name)).get(0).jvmFlags())
          .contains("-Dotel.exporter.otlp.endpoint=http://127.0.0.1:4318");
    }
  }

  @Test
  void modes_joined_havePagesOfOthersAndNoneOfTheirOwn() {
    Mode joined = modes.modes(List.of("joined")).get(0);
    assertThat(joined.jvmFlags()).containsExactly("-javaagent:/nowhere/deimos.jar");
    assertThat(AppModes.joins(joined)).isTrue();
    assertThat(AppModes.isLookedAt(joined)).isFalse();
    assertThat(AppModes.hasPage(joined)).isFalse();
    Mode looked = modes.modes(List.of("joined-page")).get(0);
    assertThat(AppModes.joins(looked)).isTrue();
    assertThat(AppModes.isLookedAt(looked)).isTrue();
    assertThat(AppModes.isLookedAt(modes.modes(List.of("page")).get(0))).isTrue();
  }

  @Test
  void modes_unknown_namesAllThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> modes.modes(List.of("full")))
        .withMessageContaining("--modes=full")
        .withMessageContaining("otlp");
  }
}
