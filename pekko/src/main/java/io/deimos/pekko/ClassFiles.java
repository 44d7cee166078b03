// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Class files by name. Decisions about classes ask for them here, and not by Byte Buddy, which an
 * application of a Pekko that was woven ahead never loads.
 */
interface ClassFiles {
  /** Null if it is not there. */
  byte @Nullable [] read(String type) throws IOException;

  /** Those that a class loader finds, its own and those above. */
  static ClassFiles of(ClassLoader loader) {
    return type -> {
      try (InputStream in = loader.getResourceAsStream(type.replace('.', '/') + ".class")) {
        return in == null ? null : in.readAllBytes();
      }
    };
  }
}
