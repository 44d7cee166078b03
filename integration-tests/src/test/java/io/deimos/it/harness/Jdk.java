// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Java installation to test on. */
public record Jdk(int feature, Path home) {
  private static final Path INSTALLED = Path.of("/usr/lib/jvm");

  /**
   * The JDK of this test run, and the newest one installed beside it unless {@code -Dit.jdks=own}.
   */
  public static List<Jdk> all() {
    Jdk own = own();
    if ("own".equals(System.getProperty("deimos.it.jdks"))) {
      return List.of(own);
    }
    Optional<Jdk> newest = newest();
    return newest.isPresent() && newest.get().feature > own.feature
        ? List.of(own, newest.get())
        : List.of(own);
  }

  /** The JDK of this test run; those of {@link #all} with {@code -Dit.jdks=full}. */
  public static List<Jdk> one() {
    return "full".equals(System.getProperty("deimos.it.jdks")) ? all() : List.of(own());
  }

  public static Jdk own() {
    return new Jdk(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
  }

  /** Dispatchers of virtual threads; the oldest Pekko has none. */
  public boolean hasVirtualDispatchers() {
    return feature >= 21 && Layout.isNewestPekko();
  }

  private static Optional<Jdk> newest() {
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(INSTALLED)) {
      return homes
          .map(Jdk::at)
          .flatMap(Optional::stream)
          .max(Comparator.comparingInt(Jdk::feature));
    } catch (IOException e) {
      throw new IllegalStateException("cannot list " + INSTALLED, e);
    }
  }

  private static Optional<Jdk> at(Path home) {
    Path release = home.resolve("release");
    if (!Files.isReadable(release) || !Files.isExecutable(home.resolve("bin/javac"))) {
      return Optional.empty();
    }
    @Nullable String version;
    try (var in = Files.newInputStream(release)) {
      Properties properties = new Properties();
      properties.load(in);
      version = properties.getProperty("JAVA_VERSION");
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + release, e);
    }
    return version == null
        ? Optional.empty()
        : Optional.of(new Jdk(Runtime.Version.parse(version.replace("\"", "")).feature(), home));
  }

  public Path java() {
    return home.resolve("bin/java");
  }

  @Override
  public String toString() {
    return "jdk-" + feature;
  }
}
