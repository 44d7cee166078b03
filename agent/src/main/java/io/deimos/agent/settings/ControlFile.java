// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Looks at the file that {@code deimos.control.file} names twice a second, and puts what it says in
 * force when it has changed. It looks by itself, since files that are mounted or swapped as links
 * are not reliably told of. A file that is not there says nothing.
 */
public final class ControlFile implements Runnable {
  private static final long PAUSE_NANOS = 500_000_000;

  private final Path file;
  private final LiveSettings settings;
  private final Consumer<String> problems;
  private String seen = "";

  public ControlFile(Path file, LiveSettings settings, Consumer<String> problems) {
    this.file = file;
    this.settings = settings;
    this.problems = problems;
  }

  /** Watches on a thread of its own. */
  public void start() {
    Thread thread = new Thread(null, this, "deimos-control", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      look();
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  void look() {
    try {
      String text = Files.isReadable(file) ? Files.readString(file) : "";
      if (!text.equals(seen)) {
        seen = text;
        Config config =
            text.isEmpty()
                ? ConfigFactory.empty()
                : ConfigFactory.parseFile(file.toFile()).resolve();
        settings.file(Layer.ofConfig(config, file.toString()), file.toString());
      }
    } catch (IOException | ConfigException e) {
      problems.accept(
          "deimos.control.file="
              + file
              + " could not be read ("
              + e.getMessage()
              + "); what it said before still holds");
    }
  }
}
