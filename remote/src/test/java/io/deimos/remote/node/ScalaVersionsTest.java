// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.RemoteBridge;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.event.Logging;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Pekko that this engine was not built for, in a class loader of its own. */
class ScalaVersionsTest {
  @ParameterizedTest
  @CsvSource({
    "pekko-1.6.0-scala-2.12, scala.jdk.javaapi.FutureConverters",
    "pekko-1.0.3, org.apache.pekko.remote.artery.AssociationState.quarantinedButHarmless"
  })
  void engine_withAPekkoThatLacksSomething_namesItAndLeavesTheWireToArtery(
      String other, String missing) throws Exception {
    assertThat(said(other))
        .singleElement()
        .asString()
        .startsWith("deimos.remote is off: this Pekko or its Scala lacks " + missing)
        .endsWith("Artery runs as it is.")
        .hasSizeLessThan(400);
  }

  @Test
  void engine_withAnOlderPekkoThatHasAll_runs() throws Exception {
    assertThat(said("pekko-1.4.0"))
        .singleElement()
        .asString()
        .startsWith("deimos.remote moves the bytes");
  }

  /** As an application server does it with an application that was redeployed. */
  @Test
  void classLoader_thatIsNotUsedAnyMore_isNotKept() throws Exception {
    WeakReference<ClassLoader> loader = new WeakReference<>(withAnEngine());
    Node.await(
        "the end of the class loader",
        () -> {
          System.gc();
          return loader.get() == null;
        });
  }

  private static ClassLoader withAnEngine() throws Exception {
    try (URLClassLoader loader = isolated(Path.of("target", "pekko-1.4.0"))) {
      Class<?> pekkos = loader.loadClass("org.apache.pekko.actor.ActorRef");
      Object self = Array.newInstance(pekkos, 0); // of the same loader
      assertThat(RemoteBridge.call(self, "none", new Object[0])).isNull();
      return loader;
    }
  }

  /** What a node says of the transport that exchanges messages with this Pekko. */
  private static List<?> said(String other) throws Exception {
    try (URLClassLoader loader = isolated(Path.of("target", other))) {
      ClassLoader before = Thread.currentThread().getContextClassLoader();
      Thread.currentThread().setContextClassLoader(loader);
      try {
        Object program = loader.loadClass(Exchange.class.getName()).getConstructor().newInstance();
        return (List<?>) ((Callable<?>) program).call();
      } finally {
        Thread.currentThread().setContextClassLoader(before);
      }
    }
  }

  /** The jars in a directory, and what this JVM has that is not of Pekko or Scala. */
  private static URLClassLoader isolated(Path jars) throws IOException {
    List<URL> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(jars)) {
      for (Path jar : files.toList()) {
        all.add(jar.toUri().toURL());
      }
    }
    assertThat(all).as("jars in %s", jars).isNotEmpty();
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      if (!entry.contains("_2.13") && !entry.contains("scala-library")) {
        all.add(url(entry));
      }
    }
    return new URLClassLoader(all.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private static URL url(String path) throws MalformedURLException {
    return Path.of(path).toUri().toURL();
  }

  /** Two nodes that exchange messages; what they say of the transport is the answer. */
  public static final class Exchange implements Callable<List<String>> {
    @Override
    public List<String> call() {
      String tame =
          "pekko.jvm-exit-on-fatal-error = off, pekko.loggers = [\"" + Said.class.getName() + "\"]";
      try (Node a = Node.start("a", Node.OURS, tame);
          Node b = Node.start("b", Node.STOCK, tame)) {
        ActorRef echo = a.find(b, "/user/echo");
        for (int i = 0; i < 100; i++) {
          echo.tell(i, a.receiver);
        }
        Node.await("all", () -> a.received.size() == 100);
        return List.copyOf(Said.LINES);
      }
    }
  }

  /** Keeps what the transport says, from the very start of a system on. */
  public static final class Said extends AbstractActor {
    static final List<String> LINES = new CopyOnWriteArrayList<>();

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Logging.InitializeLogger.class,
              begin -> getSender().tell(Logging.loggerInitialized(), getSelf()))
          .match(
              Logging.LogEvent.class,
              event -> String.valueOf(event.message()).startsWith("deimos.remote"),
              event -> LINES.add(String.valueOf(event.message())))
          .matchAny(other -> {})
          .build();
    }
  }
}
