// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each setting has a row with its cost, or it is said why there is none. */
class SwitchesTest {
  private static final Pattern KEY = Pattern.compile("(?m)^\\| `deimos\\.([a-z.-]+)` \\|");
  private static final Pattern FLAG = Pattern.compile("^-Ddeimos\\.([a-z.-]+)=");

  @Test
  void rows_andWhatIsLeftOut_areTheSettings() throws IOException {
    String docs = Files.readString(Path.of("../docs/settings.md"));
    String table = docs.substring(0, docs.indexOf("<!-- remote settings: "));
    Set<String> keys =
        KEY.matcher(table)
            .results()
            .map(key -> key.group(1).startsWith("check.") ? "check" : key.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> known = new TreeSet<>(inRows());
    known.addAll(Switches.LEFT_OUT.keySet());
    assertThat(known).isEqualTo(keys);
  }

  @Test
  void whatIsLeftOut_hasNoRow() {
    assertThat(Switches.ROWS.stream().map(Switches.Row::name)).doesNotHaveDuplicates();
    assertThat(Switches.LEFT_OUT).doesNotContainKeys(inRows().toArray(new String[0]));
  }

  /** The settings that rows give. */
  private static Set<String> inRows() {
    return Switches.ROWS.stream()
        .flatMap(row -> row.flags().stream())
        .flatMap(flag -> FLAG.matcher(flag).results())
        .map(flag -> flag.group(1))
        .collect(Collectors.toSet());
  }
}
