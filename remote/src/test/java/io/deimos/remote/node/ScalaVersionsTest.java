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
import org.junit.jupiter.params.provider.ValueSource;

/** A Pekko that this engine was not built for, in a class loader of its own. */
class ScalaVersionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"pekko-1.0.3", "pekko-1.4.0", "pekko-1.6.0-scala-2.12", "pekko-1.2.1-scala-3"})
  void engine_withAnotherPekko_runs(String other) throws Exception {
    assertThat(said(isolated(other)))
        .singleElement()
        .asString()
        .startsWith("deimos.remote moves the bytes");
  }

  @Test
  void engine_withAPekkoThatLacksSomething_namesItAndLeavesTheWireToArtery() throws Exception {
    String hidden = "scala.collection.JavaConverters"; // which only the engine needs
    assertThat(said(new Hiding(isolated("pekko-1.0.3"), hidden)))
        .singleElement()
        .asString()
        .startsWith("deimos.remote is off: this Pekko or its Scala lacks " + hidden)
        .endsWith("Artery runs as it is.")
        .hasSizeLessThan(400);
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
    try (URLClassLoader loader = isolated("pekko-1.4.0")) {
      Class<?> pekkos = loader.loadClass("org.apache.pekko.actor.ActorRef");
      Object self = Array.newInstance(pekkos, 0); // of the same loader
      assertThat(RemoteBridge.call(self, "none", new Object[0])).isNull();
      return loader;
    }
  }

  /** The word of a node on the transport that exchanges messages with this Pekko. */
  private static List<?> said(URLClassLoader other) throws Exception {
    try (URLClassLoader loader = other) {
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
  private static URLClassLoader isolated(String directory) throws IOException {
    Path jars = Path.of("target", directory);
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

  /** The same without one class. */
  private static final class Hiding extends URLClassLoader {
    private final String hidden;

    Hiding(URLClassLoader from, String hidden) {
      super(from.getURLs(), from.getParent());
      this.hidden = hidden;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.equals(hidden)) {
        throw new ClassNotFoundException(name);
      }
      return super.findClass(name);
    }
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
