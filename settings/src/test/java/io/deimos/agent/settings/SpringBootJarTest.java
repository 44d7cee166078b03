// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpringBootJarTest {
  private static final ClassLoader PARENT = ClassLoader.getPlatformClassLoader();

  @TempDir private Path directory;
  private final List<String> problems = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"BOOT-INF/classes/", "WEB-INF/classes/"})
  void atStart_applicationConfOfTheJar_isReadWithWhatItIncludes(String folder) throws IOException {
    Path jar =
        jar(
            folder,
            Map.of(
                folder + "application.conf",
                "include \"shared\"\ndeimos.page.port = 9123",
                folder + "shared.conf",
                "deimos.page.spans-kept = 400"));
    Layer read = ApplicationConfig.atStart(over(jar), problems::add);
    assertThat(problems).isEmpty();
    Given port = Objects.requireNonNull(read.given(Keys.PAGE_PORT));
    assertThat(port.value().unwrapped()).isEqualTo(9123);
    assertThat(port.place()).isEqualTo("application.conf: 2");
    assertThat(read.given(Keys.SPANS_KEPT)).isNotNull();
    Files.delete(jar); // nothing holds it
  }

  @Test
  void over_jarOfAnotherKind_changesNothing() throws IOException {
    Path jar = jar(null, Map.of("BOOT-INF/classes/application.conf", "deimos.page.port = 9123"));
    assertThat(over(jar)).isSameAs(PARENT);
  }

  @Test
  void over_whatIsNoJarAlone_changesNothing() throws IOException {
    Path text = Files.writeString(directory.resolve("no.jar"), "no jar");
    assertThat(over(text)).isSameAs(PARENT);
    assertThat(over(directory)).isSameAs(PARENT);
    assertThat(over(directory.resolve("missing.jar"))).isSameAs(PARENT);
    assertThat(SpringBootJar.over(PARENT, "")).isSameAs(PARENT);
    assertThat(SpringBootJar.over(PARENT, "a.jar" + File.pathSeparator + "b.jar")).isSameAs(PARENT);
  }

  private static ClassLoader over(Path jar) {
    return SpringBootJar.over(PARENT, jar.toString());
  }

  private Path jar(@Nullable String folder, Map<String, String> files) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (folder != null) {
      manifest.getMainAttributes().putValue("Spring-Boot-Classes", folder);
    }
    Path jar = directory.resolve("orders with a space.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (Map.Entry<String, String> entry : files.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue().getBytes(UTF_8));
        out.closeEntry();
      }
    }
    return jar;
  }
}
