// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.weave;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.RemoteBridge;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BootstrapBridgeTest {
  /** Woven code would find no class that is missing there, and the transport would be off. */
  @Test
  void classes_ofTheBridge_areAllOfItsPackage() throws IOException, URISyntaxException {
    Path folder =
        Path.of(RemoteBridge.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve("io/deimos/remote");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(BootstrapBridge.CLASSES)
          .containsExactlyInAnyOrderElementsOf(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(name -> name.endsWith(".class") && !name.startsWith("package-info"))
                  .map(name -> name.substring(0, name.length() - ".class".length()))
                  .toList());
    }
  }
}
