// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.implementation.FixedValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AkkaVersionTest {
  private static @Nullable String obstacleWith(String version) {
    byte[] type =
        new ByteBuddy()
            .subclass(Object.class)
            .name("akka.Version$")
            .defineMethod("current", String.class)
            .intercept(FixedValue.value(version))
            .make()
            .getBytes();
    return AkkaVersion.obstacle(name -> name.equals("akka.Version$") ? type : null);
  }

  @Test
  void obstacle_akka26_isNone() {
    assertThat(obstacleWith("2.6.21")).isNull();
  }

  @Test
  void obstacle_akkaUnderAnotherLicence_namesItAndTheWayOut() {
    assertThat(obstacleWith("2.8.8"))
        .startsWith("Akka 2.8.8 is not supported")
        .contains("-Dotel.instrumentation.akka-actor.enabled=true");
  }

  @Test
  void obstacle_olderAkka_isOne() {
    assertThat(obstacleWith("2.5.32")).startsWith("Akka 2.5.32 is not supported");
  }

  @Test
  void obstacle_noVersionToRead_isNone() {
    assertThat(AkkaVersion.obstacle(name -> null)).isNull();
  }
}
