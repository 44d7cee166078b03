// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.deimos.it.harness.Layout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import org.junit.jupiter.api.Test;

/** The list of what is in the jars names what scanners cannot see: the Netty inside, above all. */
class SbomTest {
  private static final String ENTRY = "META-INF/sbom/deimos.cdx.json";

  @Test
  void sbom_ofEachJar_isTheOneBesideIt() throws IOException {
    Path beside = Layout.deimos().resolveSibling("deimos.cdx.json");
    for (Path jar : List.of(Layout.deimos(), Layout.extension())) {
      try (JarFile file = new JarFile(jar.toFile());
          InputStream in = file.getInputStream(file.getJarEntry(ENTRY))) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .as(jar.toString())
            .isEqualTo(Files.readString(beside));
      }
    }
  }

  @Test
  void sbom_components_areWhatIsInTheJars() throws IOException {
    Config sbom =
        ConfigFactory.parseFile(Layout.deimos().resolveSibling("deimos.cdx.json").toFile());
    assertThat(sbom.getString("bomFormat")).isEqualTo("CycloneDX");
    Set<String> names = new TreeSet<>();
    Set<String> nettys = new TreeSet<>();
    for (Config component : sbom.getConfigList("components")) {
      String group = component.getString("group");
      names.add(group + ":" + component.getString("name"));
      assertThat(component.getString("purl")).startsWith("pkg:maven/" + group + "/");
      if (group.equals("io.netty")) {
        nettys.add(component.getString("version"));
      }
    }
    assertThat(names)
        .contains(
            "com.typesafe:config",
            "io.deimos:deimos-remote",
            "io.netty:netty-buffer",
            "io.netty:netty-common",
            "io.netty:netty-handler",
            "io.netty:netty-transport",
            "io.netty:netty-transport-classes-epoll",
            "io.netty:netty-transport-native-epoll",
            "io.netty:netty-transport-native-io_uring",
            "io.opentelemetry.javaagent:opentelemetry-javaagent");
    assertThat(names).noneMatch(name -> name.contains("junit") || name.contains("pekko-"));
    assertThat(nettys).containsExactly(nettyInside());
  }

  /**
   * A version in a repository never changes; if one has, somebody has changed it. {@code
   * -Dchecksums.write=true} writes the file, after an update.
   */
  @Test
  void libraries_inTheJars_areTheOnesThatWereChecked() throws IOException {
    Config sbom =
        ConfigFactory.parseFile(Layout.deimos().resolveSibling("deimos.cdx.json").toFile());
    Set<String> found = new TreeSet<>();
    for (Config component : sbom.getConfigList("components")) {
      if (!component.getString("group").equals("io.deimos")) {
        found.add(component.getString("purl") + " sha256:" + sha256(component));
      }
    }
    Path kept = Layout.root().resolve("integration-tests/src/test/resources/bundled-libraries.txt");
    if (Boolean.getBoolean("checksums.write")) {
      Files.write(kept, found);
    }
    assertThat(found).containsExactlyElementsOf(Files.readAllLines(kept));
  }

  private static String sha256(Config component) {
    return component.getConfigList("hashes").stream()
        .filter(hash -> hash.getString("alg").equals("SHA-256"))
        .map(hash -> hash.getString("content"))
        .findFirst()
        .orElseThrow();
  }

  /** As the engine's own jar says it, inside of the transport's, inside of the agent's. */
  private static String nettyInside() throws IOException {
    try (JarFile deimos = new JarFile(Layout.deimos().toFile())) {
      JarEntry engine =
          deimos.stream()
              .filter(entry -> entry.getName().endsWith("io/deimos/remote/engine.jar"))
              .findFirst()
              .orElseThrow();
      try (JarInputStream in = new JarInputStream(deimos.getInputStream(engine))) {
        for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
          if (entry.getName().equals("META-INF/io.netty.versions.properties")) {
            Properties versions = new Properties();
            versions.load(in);
            Set<String> found = new TreeSet<>();
            versions.stringPropertyNames().stream()
                .filter(name -> name.endsWith(".version"))
                .forEach(name -> found.add(versions.getProperty(name)));
            assertThat(found).hasSize(1);
            return found.iterator().next();
          }
        }
      }
    }
    throw new AssertionError("the engine does not say which Netty it has");
  }
}
