// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.deimos.agent.log.Problems;
import io.deimos.agent.settings.Layer;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorSystem;
import org.junit.jupiter.api.Test;

class SystemConfigTest {
  private final Problems problems = new Problems();
  private final LiveSettings settings =
      LiveSettings.read(
          Map.of(),
          Map.of(),
          Layer.empty(),
          ClassLoader.getPlatformClassLoader(),
          problems,
          line -> {});

  @Test
  void accept_systemWithSettings_readsThem() throws Exception {
    accept("deimos { page.port = 1, page.prot = 2 }");
    assertThat(problems.all())
        .containsExactlyInAnyOrder(
            "the configuration of actor system configured was not known when the JVM started, so"
                + " this in it has no effect: deimos.page.port=1. Put it into application.conf on"
                + " the class path, or give it as a system property",
            "deimos.page.prot (the configuration of actor system configured): there is no such"
                + " setting; did you mean deimos.page.port?");
  }

  @Test
  void accept_systemInAClassLoaderOfItsOwn_isNotSentToTheClassPath() throws Exception {
    try (URLClassLoader own = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
      accept("deimos.page.port = 1", own);
    }
    assertThat(problems.all())
        .containsExactly(
            "the configuration of actor system configured was not known when the JVM started, so"
                + " this in it has no effect: deimos.page.port=1. The application is in a class"
                + " loader of its own, whose application.conf is not there yet then. Give it as a"
                + " system property or an environment variable");
  }

  @Test
  void accept_systemWithout_saysNothing() throws Exception {
    accept("");
    assertThat(problems.all()).isEmpty();
  }

  private void accept(String hocon) throws Exception {
    accept(hocon, getClass().getClassLoader());
  }

  private void accept(String hocon, ClassLoader loader) throws Exception {
    ActorSystem system =
        ActorSystem.create(
            "configured",
            ConfigFactory.parseString(hocon).withFallback(ConfigFactory.load()),
            loader);
    try {
      new SystemConfig(settings, new Control(settings.current(), problems), problems)
          .accept(system);
    } finally {
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(90, TimeUnit.SECONDS);
    }
  }
}
