// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A refused release gets one line that says why, and leaves nothing behind. */
class RefusalsTest {
  private static final String VERSION = Clone.VERSION;
  private static final String LIBRARIES =
      "integration-tests/src/test/resources/bundled-libraries.txt";

  @TempDir private static Path directory;
  private static Clone clone = new Clone(Path.of("."));
  private static String before = "";

  @BeforeAll
  static void cloneTree() throws IOException {
    clone = Clone.in(directory.resolve("clone"));
    before = clone.git("rev-parse", "HEAD");
  }

  @BeforeEach
  void reset() {
    clone.git("checkout", "-q", "releases");
    clone.git("tag", "--list").lines().forEach(tag -> clone.git("tag", "-d", tag));
    clone.git("reset", "-q", "--hard", before);
    clone.git("clean", "-q", "-d", "-f", "-x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0.1", "v0.1.0", "0.1.0-SNAPSHOT", "00.1.0", "0.1.0-rc", "0.1.0 "})
  void version_thatIsNone_isRefused(String version) {
    refused("is not a version such as 0.1.0", version);
  }

  @ParameterizedTest
  @CsvSource({
    "two versions, 0.1.0 0.2.0",
    "unknown option '--fast', 0.1.0 --fast",
    "--key needs a value, 0.1.0 --key",
    "no version, --dry-run"
  })
  void arguments_thatMeanNothing_areRefused(String why, String arguments) {
    refused(why, arguments.split(" ", -1));
  }

  @Test
  void tree_withAChange_isRefused() throws IOException {
    replace("NOTICE", "Deimos", "Phobos");
    refused("the work tree has changes (' M NOTICE'", VERSION);
  }

  @Test
  void tree_withANewFile_isRefused() throws IOException {
    Files.writeString(clone.directory().resolve("new.txt"), "new");
    refused("the work tree has changes ('?? new.txt'", VERSION, "--dry-run");
  }

  @Test
  void tree_onNoBranch_isRefused() {
    clone.git("checkout", "-q", "--detach");
    refused("HEAD is on no branch", VERSION);
  }

  @Test
  void version_withATag_isRefused() {
    clone.git("tag", "v" + VERSION);
    refused("there is the tag v" + VERSION, VERSION, "--dry-run");
  }

  @Test
  void dist_thatIsThere_isRefusedAndKept() throws IOException {
    Path kept = Files.createDirectory(clone.directory().resolve("dist")).resolve("kept.txt");
    Files.writeString(kept, "kept");
    refused("dist/ is there already", VERSION, "--dry-run");
    assertThat(kept).hasContent("kept");
  }

  @Test
  void changelog_withoutTheVersion_isRefused() {
    refused("CHANGELOG.md has no section '## [123.4.5]'", "123.4.5", "--dry-run");
  }

  @Test
  void changelog_withAnEmptySection_isRefused() throws IOException {
    Path log = clone.directory().resolve("CHANGELOG.md");
    Files.writeString(log, Files.readString(log) + "\n## [123.4.5] - 2030-01-01\n\n");
    clone.commit();
    refused("CHANGELOG.md has no section '## [123.4.5]' with text", "123.4.5", "--dry-run");
  }

  @Test
  void licence_thatIsNotThere_isRefused() {
    clone.git("rm", "-q", "LICENSE");
    clone.commit();
    refused("LICENSE is missing", VERSION, "--dry-run");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "GPL-3.0-only"})
  void library_withALicenceThatIsNotAllowed_isRefused(String licence) throws IOException {
    replace(LIBRARIES, "(preact@\\S+) MIT ", "$1 " + licence + " ");
    clone.commit();
    refused("has the licence " + licence + ", which no line of", VERSION, "--dry-run");
  }

  @Test
  void library_thatNoticeDoesNotName_isRefused() throws IOException {
    replace("NOTICE", "- uPlot, .*\n", "");
    clone.commit();
    refused("NOTICE does not name uPlot", VERSION, "--dry-run");
  }

  @Test
  void key_thatIsNotThere_isRefused() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("no-keys"));
    refused(
        "gpg has no secret key 'nobody'",
        Map.of("GNUPGHOME", empty.toString()),
        VERSION,
        "--dry-run",
        "--key",
        "nobody");
    Program.run(empty, "gpgconf", "--homedir", empty.toString(), "--kill", "all");
  }

  @Test
  void build_thatFails_leavesNothing() throws IOException {
    replace("api/pom.xml", "</project>", "");
    clone.commit();
    String state = state();
    Program said = clone.release(Map.of(), VERSION);
    assertThat(said.code()).isNotZero();
    assertThat(said.err()).endsWith("release: the build failed; its last lines are above\n");
    assertThat(state()).isEqualTo(state);
  }

  private static void refused(String why, String... arguments) {
    refused(why, Map.of(), arguments);
  }

  private static void refused(String why, Map<String, String> environment, String... arguments) {
    String state = state();
    Program said = clone.release(environment, arguments);
    assertThat(said.code()).isNotZero();
    assertThat(said.err().lines()).as("one line").hasSize(1);
    assertThat(said.err()).startsWith("release: ").contains(why);
    assertThat(said.out()).isEmpty();
    assertThat(state()).isEqualTo(state);
  }

  /** All that a release may change. */
  private static String state() {
    return String.join(
        "\n",
        clone.git("rev-parse", "HEAD"),
        clone.git("tag", "--list"),
        clone.git("status", "--porcelain"),
        clone.git("ls-files", "--others", "dist", "target"));
  }

  private static void replace(String name, String pattern, String by) throws IOException {
    Path file = clone.directory().resolve(name);
    String text = Files.readString(file);
    assertThat(text).containsPattern(pattern);
    Files.writeString(file, text.replaceFirst(pattern, by));
  }
}
