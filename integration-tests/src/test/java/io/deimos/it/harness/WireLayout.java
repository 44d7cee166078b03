// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The class path of the wire rows' application. */
public final class WireLayout {
  private WireLayout() {}

  /** The rows, all of Pekko, and what it needs; nothing of ours, nothing that only tests use. */
  public static List<Path> classPath() {
    Stream<Path> jars =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(p -> p.toString().endsWith(".jar") && !p.startsWith(Layout.root()))
            .filter(p -> !p.toString().matches(".*(junit|assertj|surefire|deimos-).*"));
    return Stream.concat(Layout.scenarioClassPath().stream().limit(1), jars).toList();
  }

  /** The application's configuration: */
  public static synchronized Path configuration() {
    try {
      return Files.writeString(
          Layout.target().resolve("wire.conf"), "deimos.remote.enabled = on\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A key for TLS, made once. */
  public static synchronized Path keys(Jdk jdk) {
    Path keys = Layout.target().resolve("wire-keys.p12");
    if (Files.exists(keys)) {
      return keys;
    }
    Program.run(
            jdk.home().resolve("bin/keytool").toString(),
            "-genkeypair",
            "-alias",
            "node",
            "-keyalg",
            "EC",
            "-dname",
            "CN=node",
            "-validity",
            "3650",
            "-storetype",
            "PKCS12",
            "-keystore",
            keys.toString(),
            "-storepass",
            "changeit")
        .succeeds();
    return keys;
  }
}
