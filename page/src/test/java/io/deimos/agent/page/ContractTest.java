// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The files generated from the routes of the page. {@code -Ddocs.write=true} writes it. */
class ContractTest {
  private static final Path REFERENCE = Path.of("../docs/page-api.md");
  private static final String BEGIN = "<!-- routes: made of their declarations -->\n";
  private static final String END = "<!-- end of routes -->\n";

  private static void isGenerated(Path file, String text) throws IOException {
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(file, text);
    }
    assertThat(Files.readString(file)).as("-Ddocs.write=true writes it").isEqualTo(text);
  }

  @Test
  void reference_tells_whatTheRoutesDeclare() throws Exception {
    String now = Files.readString(REFERENCE);
    String before = now.substring(0, now.indexOf(BEGIN) + BEGIN.length());
    String after = now.substring(now.indexOf(END));
    String made = Markdown.of(Documented.told());
    isGenerated(REFERENCE, before + made + after);
  }

  @Test
  void dashboard_readsAnswers_asTheRoutesSay() throws Exception {
    isGenerated(
        Path.of("../dashboard/src/lib/contract.ts"),
        TypeScript.of(Documented.document(Documented.routes())));
  }
}
