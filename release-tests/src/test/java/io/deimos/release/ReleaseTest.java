// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two builds of a commit, in two folders at two times; and what a release changes, or a dry run
 * does not.
 */
class ReleaseTest {
  private static final String VERSION = Clone.VERSION;
  private static final String TAG = "v" + VERSION;

  /** But for signatures, and what has them inside. */
  @Test
  void files_madeTwice_areTheSameByteForByte() throws IOException {
    Path one = Made.dist();
    Path other = Made.once().dry().directory().resolve("dist");
    List<String> files = unsigned(one);
    assertThat(files).hasSizeGreaterThan(100).containsExactlyElementsOf(unsigned(other));
    for (String file : files) {
      assertThat(one.resolve(file)).hasSameBinaryContentAs(other.resolve(file));
    }
  }

  private static List<String> unsigned(Path dist) throws IOException {
    try (Stream<Path> files = Files.walk(dist)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> dist.relativize(file).toString())
          .filter(name -> !name.endsWith(".asc"))
          .filter(name -> !name.startsWith("maven-central") && !name.endsWith("SUMS"))
          .sorted()
          .toList();
    }
  }

  @Test
  void dryRun_makesDistAndNothingElse() {
    Clone dry = Made.once().dry();
    assertThat(dry.git("log", "--format=%s", "-1")).isEqualTo("test: the tree");
    assertThat(dry.git("tag", "--list", TAG)).isEmpty();
    assertNothingIsLeft(dry);
  }

  @Test
  void release_isTwoCommitsAndASignedTag() {
    Clone real = Made.once().real();
    assertThat(real.git("log", "--format=%s", "-3"))
        .isEqualTo("release: %s begins%nrelease: %s%ntest: the tree".formatted(next(), VERSION));
    assertThat(real.git("rev-parse", TAG + "^{commit}")).isEqualTo(real.git("rev-parse", "HEAD~1"));
    Program.run(
            real.directory(),
            java.util.Map.of("GNUPGHOME", Made.once().keys().toString()),
            "git",
            "verify-tag",
            TAG)
        .succeeds();
    assertThat(real.git("branch", "--show-current")).isEqualTo("releases");
    assertNothingIsLeft(real);
  }

  @Test
  void poms_ofTheTag_haveTheVersionAndThenTheNext() {
    Clone real = Made.once().real();
    String snapshot = Clone.property("snapshot");
    for (String pom : List.of("pom.xml", "agent/pom.xml", "release-tests/pom.xml")) {
      assertThat(real.git("show", TAG + ":" + pom))
          .contains("<version>" + VERSION + "</version>")
          .doesNotContain("-SNAPSHOT");
      assertThat(real.git("show", "HEAD:" + pom))
          .isEqualTo(
              real.git("show", TAG + "~1:" + pom)
                  .replace("<version>" + snapshot + "<", "<version>" + next() + "<"));
    }
  }

  @Test
  void signatures_afterARelease_areItsApi() throws IOException {
    for (String module : List.of("api", "testkit")) {
      Path kept = Made.once().real().directory().resolve(module + "/signature.jar");
      Path published = Made.file("deimos-" + module, ".jar");
      List<String> classes = Jars.entries(published, ".class");
      assertThat(classes).isNotEmpty().isEqualTo(Jars.entries(kept, ".class"));
      for (String name : classes) {
        assertThat(Jars.content(kept, name)).isEqualTo(Jars.content(published, name));
      }
    }
  }

  @Test
  void changelog_afterARelease_beginsTheNextSection() {
    Clone real = Made.once().real();
    List<String> headings =
        real.git("show", "HEAD:CHANGELOG.md").lines().filter(l -> l.startsWith("## ")).toList();
    assertThat(headings.get(0)).isEqualTo("## [Unreleased]");
    assertThat(headings.get(1)).matches("## \\[" + VERSION + "] - \\d{4}-\\d{2}-\\d{2}");
    assertThat(Made.dist().resolve("RELEASE-NOTES.md")).isNotEmptyFile();
  }

  private static String next() {
    String[] parts = VERSION.split("\\.", -1);
    return parts[0] + "." + (Integer.parseInt(parts[1]) + 1) + ".0-SNAPSHOT";
  }

  private static void assertNothingIsLeft(Clone clone) {
    assertThat(clone.git("status", "--porcelain")).isEmpty();
    assertThat(clone.directory().resolve("target")).isEmptyDirectory();
  }
}
