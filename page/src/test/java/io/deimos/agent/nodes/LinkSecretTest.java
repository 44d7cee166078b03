// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The owner of the port names a file; only one beside the process's own is opened. */
class LinkSecretTest {
  private static final String NO_PLACE = "no place where a process of this user has its secret";

  @Test
  void read_fileOfAProcessOfTheSameUser_isItsSecret() throws IOException {
    LinkSecret own = LinkSecret.make();
    LinkSecret theirs = LinkSecret.make();
    LinkSecret read = LinkSecret.read(theirs.place(), own);
    assertThat(read.proof("joins", 1, "a", "b")).isEqualTo(theirs.proof("joins", 1, "a", "b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\\\evil.example\\share\\deimos-1\\link",
        "//evil.example/share/deimos-1/link",
        "\\\\?\\UNC\\evil.example\\share\\deimos-1\\link",
        "\\\\.\\pipe\\deimos-1\\link",
        "C:\\deimos-1\\link",
        "/net/evil.example/deimos-1/link",
        "TMP//evil.example/deimos-1/link",
        "TMPdeimos-1/../deimos-1/link",
        "TMP../TMPdeimos-1/link",
        "TMPdeimos-1\\..\\link",
        "TMPdeimos-x/link",
        "TMPdeimos-/link",
        "TMPdeimos-1/link:stream",
        "TMPdeimos-1/link/",
        "TMPdeimos-1/CON",
        "TMPNUL/link",
        "TMPdeimos-1",
        "deimos-1/link",
        ""
      })
  void read_otherPlace_isRefusedByItsName(String named) throws IOException {
    LinkSecret own = LinkSecret.make();
    String mine = own.place();
    String place = named.replace("TMP", mine.substring(0, mine.lastIndexOf("deimos-")));
    assertThatThrownBy(() -> LinkSecret.read(place, own)).hasMessage(NO_PLACE);
  }

  private static LinkSecret onWindows(FileSystem windows, String directory) throws IOException {
    String secret = LinkSecret.random();
    Path file = Files.createDirectories(windows.getPath(directory)).resolve("link");
    Files.writeString(file, secret);
    return new LinkSecret(file, secret);
  }

  @Test
  void read_onWindows_isAFileInTheSameTemporaryDirectoryAlone() throws IOException {
    Configuration withOwners =
        Configuration.windows().toBuilder()
            .setRoots("C:\\", "D:\\", "\\\\evil.example\\share\\")
            .setAttributeViews("basic", "dos", "owner")
            .build();
    try (FileSystem windows = Jimfs.newFileSystem(withOwners)) {
      String temporary = "C:\\Users\\me\\AppData\\Local\\Temp\\";
      LinkSecret own = onWindows(windows, temporary + "deimos-1");
      LinkSecret theirs = onWindows(windows, temporary + "deimos-2");
      LinkSecret read = LinkSecret.read(theirs.place(), own);
      assertThat(read.proof("joins", 1, "a", "b")).isEqualTo(theirs.proof("joins", 1, "a", "b"));
      assertThat(LinkSecret.read(temporary + "deimos-2/link", own).place())
          .isEqualTo(theirs.place());
      LinkSecret anothers = onWindows(windows, temporary + "deimos-4");
      Files.setOwner(
          windows.getPath(anothers.place()),
          windows.getUserPrincipalLookupService().lookupPrincipalByName("another"));
      assertThatThrownBy(() -> LinkSecret.read(anothers.place(), own))
          .hasMessage("no file of a process of this user");
      for (String directory :
          List.of(
              "\\\\evil.example\\share\\deimos-3",
              "D:\\deimos-3",
              "C:\\deimos-3",
              temporary + "other\\deimos-3")) {
        String place = onWindows(windows, directory).place();
        assertThat(windows.getPath(place)).isRegularFile();
        assertThatThrownBy(() -> LinkSecret.read(place, own)).hasMessage(NO_PLACE);
        String dotted = temporary + "deimos-2\\..\\..\\" + place;
        assertThatThrownBy(() -> LinkSecret.read(dotted, own)).hasMessage(NO_PLACE);
      }
    }
  }

  /** It has all that such a file has: name, owner, modes, size. */
  @Test
  void read_fileInAnotherDirectory_isNotOpened(@TempDir Path elsewhere) throws IOException {
    LinkSecret own = LinkSecret.make();
    Path directory =
        Files.createDirectory(
            elsewhere.resolve("deimos-1"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path file = directory.resolve("link");
    Files.copy(Path.of(LinkSecret.make().place()), file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> LinkSecret.read(file.toString(), own)).hasMessage(NO_PLACE);
  }

  @Test
  void read_fileOthersMayRead_isRefused() throws IOException {
    LinkSecret own = LinkSecret.make();
    LinkSecret theirs = LinkSecret.make();
    Path file = Path.of(theirs.place());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> LinkSecret.read(theirs.place(), own))
        .hasMessage("no file of a process of this user");
  }

  @Test
  void proof_ofAnotherPortRoleOrNumber_isNone() throws IOException {
    LinkSecret secret = LinkSecret.make();
    String proof = secret.proof("joins", 9797, "a", "b");
    assertThat(secret.proves(proof, "joins", 9797, "a", "b")).isTrue();
    assertThat(secret.proves(proof, "joins", 9798, "a", "b")).isFalse();
    assertThat(secret.proves(proof, "serves", 9797, "a", "b")).isFalse();
    assertThat(secret.proves(proof, "joins", 9797, "a", "c")).isFalse();
    assertThat(secret.proves(proof, "joins", 9797, "c", "b")).isFalse();
    assertThat(LinkSecret.make().proves(proof, "joins", 9797, "a", "b")).isFalse();
  }

  @Test
  void read_linkInItsPlace_isRefused(@TempDir Path elsewhere) throws IOException {
    LinkSecret own = LinkSecret.make();
    LinkSecret theirs = LinkSecret.make();
    Path file = Path.of(theirs.place());
    Path moved = Files.move(file, elsewhere.resolve("link"));
    Files.createSymbolicLink(file, moved);
    assertThatThrownBy(() -> LinkSecret.read(theirs.place(), own))
        .hasMessage("no file of a process of this user");
    Files.delete(file);
  }
}
