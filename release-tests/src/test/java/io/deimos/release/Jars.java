// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.release;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The content of a jar. */
final class Jars {
  private Jars() {}

  static List<String> entries(Path jar, String end) throws IOException {
    try (ZipFile file = new ZipFile(jar.toFile())) {
      return file.stream().map(ZipEntry::getName).filter(n -> n.endsWith(end)).sorted().toList();
    }
  }

  static byte[] content(Path jar, String name) throws IOException {
    try (ZipFile file = new ZipFile(jar.toFile());
        InputStream in = file.getInputStream(file.getEntry(name))) {
      return in.readAllBytes();
    }
  }
}
