// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.PlainHocon;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Looks twice a second at the file that {@code deimos.control.file} names, and puts what it says in
 * force when it has changed. It polls, because changes of files that are mounted or swapped as
 * links are not reliably announced. A file that does not exist says nothing, until it appears.
 *
 * <p>Only a regular file of bounded size is read, as {@link PlainHocon}: the file may be mounted
 * from somewhere else, and nothing in it may block or end this watch.
 */
public final class ControlFile implements Runnable {
  private static final long PAUSE_NANOS = 500_000_000;
  private static final String KEY = "deimos.control.file=";

  private final Path file;
  private final LiveSettings settings;
  private final Consumer<String> problems;
  private final Consumer<String> say;
  private String seen = "";
  private boolean isMissingSaid;

  /**
   * @param problems told what cannot be used
   * @param say told, once, that the file does not exist yet
   */
  public ControlFile(
      Path file, LiveSettings settings, Consumer<String> problems, Consumer<String> say) {
    this.file = file;
    this.settings = settings;
    this.problems = problems;
    this.say = say;
  }

  /** Watches the file that the settings name, if they name one. */
  public static void watch(LiveSettings live, Consumer<String> problems, Consumer<String> say) {
    String named = live.current().get(Keys.CONTROL_FILE);
    if (!named.isEmpty()) {
      new ControlFile(Path.of(named), live, problems, say).start();
    }
  }

  /** Watches on a thread of its own. */
  private void start() {
    AgentThread.start("deimos-control", this);
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        look();
      } catch (Throwable t) {
        Faults.caught(t); // the settings stay, and the file is looked at again
      }
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  void look() {
    try {
      String text = read();
      if (!text.equals(seen)) {
        seen = text;
        settings.file(Layer.ofConfig(parsed(text), file.toString()), file.toString());
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      problems.accept(
          KEY
              + file
              + " could not be used ("
              + (e.getMessage() == null ? e : e.getMessage())
              + "); what it said before still holds. Correct the file: it is read again when it"
              + " changes");
    }
  }

  private String read() throws IOException {
    if (!Files.exists(file)) {
      if (!isMissingSaid) {
        isMissingSaid = true;
        say.accept(KEY + file + " does not exist; it is read as soon as it does");
      }
      return "";
    }
    if (!Files.isRegularFile(file)) {
      throw new IOException("it is not a regular file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(PlainHocon.MAX_LENGTH + 1);
      if (bytes.length > PlainHocon.MAX_LENGTH) {
        throw new IOException("it is longer than " + PlainHocon.MAX_LENGTH + " bytes");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private Config parsed(String text) {
    String name = file.toString();
    ConfigSyntax syntax =
        name.endsWith(".json")
            ? ConfigSyntax.JSON
            : name.endsWith(".properties") ? ConfigSyntax.PROPERTIES : ConfigSyntax.CONF;
    return text.isEmpty()
        ? ConfigFactory.empty()
        : PlainHocon.parse(
            text, ConfigParseOptions.defaults().setSyntax(syntax).setOriginDescription(name));
  }
}
