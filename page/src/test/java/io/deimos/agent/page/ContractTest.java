// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is generated from the routes of the page. {@code -Ddocs.write=true} writes it. */
class ContractTest {
  private static void isGenerated(Path file, String text) throws IOException {
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(file, text);
    }
    assertThat(Files.readString(file)).as("-Ddocs.write=true writes it").isEqualTo(text);
  }

  @Test
  void dashboard_readsAnswers_asTheRoutesSay() throws Exception {
    isGenerated(
        Path.of("../dashboard/src/lib/contract.ts"),
        TypeScript.of(Documented.document(Documented.routes())));
  }
}
