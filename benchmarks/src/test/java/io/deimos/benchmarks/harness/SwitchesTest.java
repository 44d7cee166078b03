// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What each setting costs is a row, or it is said why there is none. */
class SwitchesTest {
  private static final Pattern KEY = Pattern.compile("(?m)^\\| `deimos\\.([a-z.-]+)` \\|");
  private static final Pattern FLAG = Pattern.compile("^-Ddeimos\\.([a-z.-]+)=");

  @Test
  void rows_andWhatIsLeftOut_areTheSettings() throws IOException {
    String docs = Files.readString(Path.of("../docs/settings.md"));
    String table = docs.substring(0, docs.indexOf("<!-- end of settings -->"));
    Set<String> keys =
        KEY.matcher(table)
            .results()
            .map(key -> key.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> known = new TreeSet<>(Switches.LEFT_OUT.keySet());
    Switches.ROWS.stream()
        .flatMap(row -> row.flags().stream())
        .flatMap(flag -> FLAG.matcher(flag).results())
        .map((MatchResult flag) -> flag.group(1))
        .forEach(known::add);
    assertThat(known).isEqualTo(keys);
  }

  @Test
  void whatIsLeftOut_hasNoRow() {
    assertThat(Switches.ROWS.stream().map(Switches.Row::name)).doesNotHaveDuplicates();
    assertThat(Switches.LEFT_OUT)
        .allSatisfy(
            (setting, why) ->
                assertThat(Switches.ROWS)
                    .noneMatch(row -> row.flags().contains("-Ddeimos." + setting + "=true")));
  }
}
