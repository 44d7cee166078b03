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
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of what is in the jars names what scanners cannot see: the Netty inside, above all. */
class SbomTest {
  private static final String ENTRY = "META-INF/sbom/deimos.cdx.json";

  @ParameterizedTest
  @ValueSource(strings = {"deimos", "deimos-lean", "deimos-extension"})
  void sbom_ofEachJar_isTheOneBesideIt(String name) throws IOException {
    try (JarFile file = new JarFile(Layout.deimos().resolveSibling(name + ".jar").toFile());
        InputStream in = file.getInputStream(file.getJarEntry(ENTRY))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(Files.readString(beside(name)));
    }
  }

  @Test
  void sbom_components_areWhatIsInTheJars() throws IOException {
    Config sbom = sbom("deimos");
    assertThat(sbom.getString("bomFormat")).isEqualTo("CycloneDX");
    Set<String> names = new TreeSet<>();
    Set<String> nettys = new TreeSet<>();
    for (Config component : sbom.getConfigList("components")) {
      names.add(name(component));
      if (component.hasPath("components")) {
        component.getConfigList("components").forEach(inside -> names.add(name(inside)));
      }
      String group = group(component);
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
            "io.opentelemetry.javaagent:opentelemetry-javaagent",
            "com.fasterxml.jackson.core:jackson-core",
            "net.bytebuddy:byte-buddy-dep",
            ":preact",
            ":uplot");
    assertThat(names).noneMatch(name -> name.contains("junit") || name.contains("pekko-"));
    assertThat(nettys).containsExactly(nettyInside());
  }

  @Test
  void sbom_ofTheExtension_leavesOutWhatOnlyTheAgentHas() {
    assertThat(sbom("deimos-extension").getConfigList("components"))
        .extracting(SbomTest::name)
        .contains("io.netty:netty-buffer", ":preact")
        .doesNotContain(
            "io.opentelemetry.javaagent:opentelemetry-javaagent", "info.picocli:picocli");
  }

  /**
   * A version in a repository never changes; if one has, somebody has changed it. {@code ./release}
   * compares the licences with those allowed. {@code -Dchecksums.write=true} writes the file, after
   * an update.
   */
  @Test
  void libraries_inTheJars_areTheOnesThatWereChecked() throws IOException {
    Config sbom = sbom("deimos");
    Set<String> found = new TreeSet<>();
    for (Config component : sbom.getConfigList("components")) {
      if (!group(component).equals("io.deimos")) {
        found.add(component.getString("purl") + " " + licence(component) + " " + hash(component));
      }
    }
    Path kept = Layout.root().resolve("integration-tests/src/test/resources/bundled-libraries.txt");
    if (Boolean.getBoolean("checksums.write")) {
      Files.write(kept, found);
    }
    assertThat(found).containsExactlyElementsOf(Files.readAllLines(kept));
  }

  private static Config sbom(String name) {
    return ConfigFactory.parseFile(beside(name).toFile());
  }

  private static Path beside(String name) {
    return Layout.deimos().resolveSibling("sbom").resolve(name + ".cdx.json");
  }

  private static String name(Config component) {
    String name = group(component) + ":" + component.getString("name");
    assertThat(component.getString("purl"))
        .startsWith("pkg:" + (name.startsWith(":") ? "npm" : "maven") + "/")
        .contains(name.substring(name.indexOf(':') + 1) + "@");
    return name;
  }

  /** Packages of npm have none. */
  private static String group(Config component) {
    return component.hasPath("group") ? component.getString("group") : "";
  }

  private static String licence(Config component) {
    List<String> ids =
        component.getConfigList("licenses").stream()
            .map(licence -> licence.getString("license.id"))
            .toList();
    return ids.isEmpty() ? "none" : String.join("|", ids);
  }

  /** The SHA-256 of what Maven fetches; npm names a SHA-512. */
  private static String hash(Config component) {
    return component.getConfigList("hashes").stream()
        .filter(hash -> Set.of("SHA-256", "SHA-512").contains(hash.getString("alg")))
        .map(
            hash ->
                hash.getString("alg").replace("-", "").toLowerCase(Locale.ROOT)
                    + ":"
                    + hash.getString("content"))
        .min(Comparator.naturalOrder())
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
