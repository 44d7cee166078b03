// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

package io.deimos.benchmarks.pingpong;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A key pair for this machine alone, made by the JDK's keytool when TLS is first measured. */
final class Tls {
  private static final String PASSWORD = "changeit";

  /** One for both systems: each has to trust the other. */
  private static final class Store {
    static final Path FILE = keyStore();
  }

  private Tls() {}

  static Config config(boolean wanted) {
    if (!wanted) {
      return ConfigFactory.empty();
    }
    String store = Store.FILE.toString().replace('\\', '/');
    return ConfigFactory.parseString(
        """
        pekko.remote.artery.ssl.config-ssl-engine {
          key-store = "%1$s", trust-store = "%1$s"
          key-store-password = "%2$s", key-password = "%2$s", trust-store-password = "%2$s"
          enabled-algorithms = [TLS_AES_128_GCM_SHA256], protocol = "TLSv1.3"
          hostname-verification = off
        }
        """
            .formatted(store, PASSWORD));
  }

  private static Path keyStore() {
    try {
      Path file = Files.createTempDirectory("ping-pong-tls").resolve("store.p12");
      file.toFile().deleteOnExit();
      String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
      Process process =
          new ProcessBuilder(
                  keytool,
                  "-genkeypair",
                  "-alias",
                  "node",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=localhost",
                  "-validity",
                  "2",
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  file.toString(),
                  "-storepass",
                  PASSWORD)
              .inheritIO()
              .start();
      if (process.waitFor() != 0) {
        throw new IOException("keytool failed");
      }
      return file;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("cannot make a key for TLS", e);
    }
  }
}
