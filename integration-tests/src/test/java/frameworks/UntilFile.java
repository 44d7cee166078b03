// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package frameworks;

import java.nio.file.Files;
import java.nio.file.Path;

/** {@link Application} for a JVM whose input, exit and end are a build tool's own. */
public final class UntilFile {
  private UntilFile() {}

  /** {@code <name> <file>}: runs until the file is there. */
  public static void main(String[] args) throws Exception {
    Runnable end = Application.start(args[0]);
    while (!Files.exists(Path.of(args[1]))) {
      Thread.sleep(50);
    }
    end.run();
  }
}
