// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An actor system that ends after a failure leaves a dump; one that ends without does not. */
class EndDumpTest {
  private static final Pattern LINE =
      Pattern.compile("deimos: an actor system .* is in (\\S+) \\(\\d+ bytes\\).*");

  @Test
  void systemThatEnds_afterAFailure_leavesADump(@TempDir Path directory) throws IOException {
    try (AgentJvm jvm =
        AgentJvm.on(Jdk.own())
            .agent(Layout.eitherForm())
            .property("deimos.page.port", "0")
            .property("deimos.metrics.gauges.interval", "100ms")
            .property("deimos.dump.directory", directory.toString())
            .start("end-dump")) {
      jvm.tell("run fail-restart");
      String line = jvm.awaitErr("that there is a dump", l -> LINE.matcher(l).matches());
      Matcher said = LINE.matcher(line);
      assertThat(said.matches()).isTrue();
      Path file = Path.of(said.group(1));
      assertThat(file.getParent()).isEqualTo(directory);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .contains("\"deimosDump\":1", "\"/api/v1/trouble\"", "\"kind\":\"failure\"");
      }
    }
  }
}
