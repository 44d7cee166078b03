// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import io.deimos.pekko.feature.Feature;
import io.deimos.pekko.feature.Features;
import io.deimos.pekko.feature.HookPoint;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Pekko for a Scala, with those of its modules that can be had: a row of {@code
 * integration-tests/versions}.
 *
 * @param pekko Pekko's version
 * @param scala the Scala it is for, as its artifacts are called
 * @param jars Pekko and what it needs
 */
record PekkoVersion(String pekko, String scala, List<Path> jars) {
  private static final Path ROWS = Layout.root().resolve("integration-tests/versions/target");
  private static final String SUFFIX = ".classpath";

  /** All rows, by Scala and Pekko. */
  static List<PekkoVersion> all() {
    try (Stream<Path> files = Files.list(ROWS)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(SUFFIX))
          .map(PekkoVersion::of)
          .sorted(Comparator.comparing(PekkoVersion::scala).thenComparing(PekkoVersion::pekko))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no versions of Pekko in "
              + ROWS
              + "; fetch them with ./test or mvn -f integration-tests/versions/pom.xml package",
          e);
    }
  }

  /** A file such as {@code pekko-1.7.0_2.13.classpath}. */
  private static PekkoVersion of(Path file) {
    String name = file.getFileName().toString();
    int scala = name.indexOf('_');
    try {
      return new PekkoVersion(
          name.substring(name.indexOf('-') + 1, scala),
          name.substring(scala + 1, name.length() - SUFFIX.length()),
          Stream.of(Files.readString(file).strip().split(File.pathSeparator, -1))
              .map(Path::of)
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a class is there. */
  boolean has(String type) {
    return !having(Stream.of(type)).isEmpty();
  }

  private Set<String> having(Stream<String> types) {
    URL[] urls = jars.stream().map(PekkoVersion::url).toArray(URL[]::new);
    try (URLClassLoader loader = new URLClassLoader(urls, null)) {
      return types
          .filter(type -> loader.findResource(type.replace('.', '/') + ".class") != null)
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The features that an application with this Pekko uses, by what Deimos says of its classes. */
  Set<Feature> features() {
    Set<String> there = having(Features.ALL.stream().flatMap(f -> f.markers().stream()).distinct());
    return Features.ALL.stream()
        .filter(feature -> !feature.isOfLogging() && there.containsAll(feature.markers()))
        .collect(Collectors.toSet());
  }

  static Set<String> hooksOf(Feature feature) {
    return feature.hooks().stream().map(HookPoint::name).collect(Collectors.toSet());
  }

  @Override
  public String toString() {
    return "pekko-" + pekko + "_" + scala;
  }
}
