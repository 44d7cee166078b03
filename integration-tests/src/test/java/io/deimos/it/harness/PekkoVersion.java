// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Pekko for a Scala, with those of its modules that can be had: a row of {@code
 * integration-tests/versions}. Akka, whose classes differ by the names of their packages, is one,
 * too.
 *
 * @param library pekko or akka
 * @param pekko its version
 * @param scala the Scala it is for, as its artifacts are called
 * @param jars Pekko and what it needs
 */
public record PekkoVersion(String library, String pekko, String scala, List<Path> jars) {
  private static final Path ROWS = Layout.root().resolve("integration-tests/versions/target");
  private static final Path AKKA = Layout.root().resolve("integration-tests/akka/target/lib");
  private static final String SUFFIX = ".classpath";

  /** All rows, by Scala and Pekko. */
  public static List<PekkoVersion> all() {
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
          name.substring(0, name.indexOf('-')),
          name.substring(name.indexOf('-') + 1, scala),
          name.substring(scala + 1, name.length() - SUFFIX.length()),
          Stream.of(Files.readString(file).strip().split(File.pathSeparator, -1))
              .map(Path::of)
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One of them. */
  public static PekkoVersion of(String pekko, String scala) {
    Path file = ROWS.resolve("pekko-" + pekko + "_" + scala + SUFFIX);
    if (!Files.isReadable(file)) {
      throw new IllegalStateException(file + " is missing; build it with ./test or mvn verify");
    }
    return of(file);
  }

  /** The one Akka, which the build puts there. */
  public static PekkoVersion akka() {
    try (Stream<Path> jars = Files.list(AKKA)) {
      List<Path> all = jars.sorted().toList();
      String actor =
          all.stream()
              .map(jar -> jar.getFileName().toString())
              .filter(jar -> jar.startsWith("akka-actor_"))
              .findFirst()
              .orElseThrow();
      return new PekkoVersion(
          "akka",
          actor.substring(actor.indexOf('-', actor.indexOf('_')) + 1, actor.lastIndexOf('.')),
          actor.substring(actor.indexOf('_') + 1, actor.indexOf('-', actor.indexOf('_'))),
          all);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean isAkka() {
    return library.equals("akka");
  }

  /** Whether a class is there, which is given with Pekko's name. */
  public boolean has(String type) {
    return !having(Stream.of(type)).isEmpty();
  }

  private Set<String> having(Stream<String> types) {
    URL[] urls = jars.stream().map(PekkoVersion::url).toArray(URL[]::new);
    try (URLClassLoader loader = new URLClassLoader(urls, null)) {
      return types
          .filter(type -> loader.findResource(file(type)) != null)
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String file(String pekkos) {
    String type = isAkka() ? pekkos.replace("org.apache.pekko.", "akka.") : pekkos;
    return type.replace('.', '/') + ".class";
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The features that an application with this Pekko uses, by what Deimos says of its classes. */
  public Set<Feature> features() {
    Set<String> there = having(Features.ALL.stream().flatMap(f -> f.markers().stream()).distinct());
    return Features.ALL.stream()
        .filter(feature -> there.containsAll(feature.markers()))
        .collect(Collectors.toSet());
  }

  /**
   * A class path with the jars of this version for those of another one, and with what it has
   * besides.
   *
   * @param kept artifacts that stay as they are
   */
  List<Path> inPlaceOf(List<Path> classPath, Set<String> kept) {
    Map<String, Path> own = new LinkedHashMap<>();
    jars.forEach(jar -> own.put(artifact(jar), jar));
    own.keySet().removeAll(kept);
    Map<String, Path> all = new LinkedHashMap<>();
    for (Path entry : classPath) {
      String artifact = artifact(entry);
      if (isOfPekko(entry) && !own.containsKey(artifact)) {
        throw new IllegalStateException(artifact + " is not in the row of " + this);
      }
      all.put(artifact, own.getOrDefault(artifact, entry));
    }
    own.forEach(
        (artifact, jar) -> {
          if (!isOfPekko(jar)) {
            all.putIfAbsent(artifact, jar);
          }
        });
    return List.copyOf(all.values());
  }

  /** Not a library for Pekko with versions of its own. */
  private static boolean isOfPekko(Path jar) {
    return jar.toString().contains("/org/apache/pekko/pekko-")
        && !artifact(jar).startsWith("pekko-http")
        && !artifact(jar).startsWith("pekko-parsing")
        && !artifact(jar).startsWith("pekko-persistence-jdbc");
  }

  /** The name of a file without its version. */
  private static String artifact(Path jar) {
    return jar.getFileName().toString().replaceFirst("-[0-9][^_]*\\.jar$", "");
  }

  public static Set<String> hooksOf(Feature feature) {
    return feature.hooks().stream().map(HookPoint::name).collect(Collectors.toSet());
  }

  @Override
  public String toString() {
    return library + "-" + pekko + "_" + scala;
  }
}
