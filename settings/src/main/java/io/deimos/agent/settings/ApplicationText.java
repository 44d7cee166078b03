// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Properties;

/**
 * Whether the application's HOCON can say anything of Deimos, by its mere text. Mostly it does not,
 * and then nothing of the parser is loaded while the JVM starts.
 */
final class ApplicationText {
  private static final String[] NAMES = {
    "application.conf", "application.json", "application.properties"
  };

  /**
   * The marks that lead to our settings: their name, another file, or a letter written as its
   * number.
   */
  private static final String[] HINTS = {"deimos", "include", "\\u"};

  /** Longer text is parsed rather than kept. */
  private static final int MAX_BYTES = 1 << 20;

  private ApplicationText() {}

  /**
   * True where the parser has to look, be it for the message about what it cannot read.
   *
   * @param loader the class loader that has the application's files
   * @param properties the system's, which may name another file
   */
  static boolean mayNameUs(ClassLoader loader, Properties properties) {
    if (properties.containsKey("config.url") || properties.containsKey("config.strategy")) {
      return true;
    }
    try {
      String file = properties.getProperty("config.file");
      if (file != null) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
          return mayNameUs(in);
        }
      }
      String resource = properties.getProperty("config.resource");
      for (String name : resource == null ? NAMES : new String[] {resource}) {
        Enumeration<URL> all = loader.getResources(name.startsWith("/") ? name.substring(1) : name);
        if (resource != null && !all.hasMoreElements()) {
          return true;
        }
        while (all.hasMoreElements()) {
          try (InputStream in = all.nextElement().openStream()) {
            if (mayNameUs(in)) {
              return true;
            }
          }
        }
      }
      return false;
    } catch (IOException | RuntimeException e) {
      return true;
    }
  }

  private static boolean mayNameUs(InputStream in) throws IOException {
    byte[] read = in.readNBytes(MAX_BYTES);
    if (read.length == MAX_BYTES) {
      return true;
    }
    String text = new String(read, StandardCharsets.ISO_8859_1);
    for (String hint : HINTS) {
      if (text.contains(hint)) {
        return true;
      }
    }
    return false;
  }
}
