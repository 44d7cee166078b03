// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.report;

import io.deimos.agent.answers.DumpFile;
import io.deimos.agent.observer.Observer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Writes a dump when an actor system ends, or the JVM does, within {@value #RECENT_SECONDS} s after
 * an actor has failed; one for a failure. The last {@value #MAX_FILES} of its own dumps stay in the
 * directory.
 *
 * <p><b>Threads.</b> The reader of gauges, and the one that ends the JVM; one at a time.
 */
public final class EndDumps {
  public static final String KEY = "deimos.dump.directory=";
  static final int MAX_FILES = 5;
  static final long RECENT_SECONDS = 30;

  private static final String NAME = "deimos-dump-\\d{8}T\\d{6}Z-\\d{1,10}(-\\d+)?\\.json\\.gz";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  /** A record of the failure is read by then. */
  private static final long RECORDS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final String named;
  private final LongSupplier lastFailure;
  private final Dump dump;
  private final Consumer<String> say;
  private final Consumer<String> problems;
  private long dumped;
  private int number;

  /**
   * @param named the directory, as the setting names it
   * @param say takes the line that names a file
   * @param problems told if there can be none
   */
  public EndDumps(
      String named,
      Observer observer,
      DumpFile dump,
      Consumer<String> say,
      Consumer<String> problems) {
    this(named, observer::lastFailureEpochNanos, dump::write, say, problems);
  }

  EndDumps(
      String named,
      LongSupplier lastFailure,
      Dump dump,
      Consumer<String> say,
      Consumer<String> problems) {
    this.named = named;
    this.lastFailure = lastFailure;
    this.dump = dump;
    this.say = say;
    this.problems = problems;
  }

  /** Writes a dump to a file that is not there yet. */
  interface Dump {
    void write(Path file) throws IOException;
  }

  /** An actor system has begun to end. */
  public void systemEnds() {
    LockSupport.parkNanos(this, RECORDS_NANOS);
    writeIfFailed();
  }

  /** Writes a dump if there was a failure of late that has none. */
  public synchronized void writeIfFailed() {
    long failed = lastFailure.getAsLong();
    long now = System.currentTimeMillis();
    if (failed == 0
        || failed == dumped
        || now - failed / 1_000_000 > TimeUnit.SECONDS.toMillis(RECENT_SECONDS)) {
      return;
    }
    dumped = failed;
    try {
      boolean made = !Files.exists(Path.of(named));
      Path directory = Files.createDirectories(Path.of(named)).toAbsolutePath();
      makeRoom(directory);
      Path file = directory.resolve(name(now));
      dump.write(file);
      say.accept(
          "an actor system or the JVM ends after a failure; what the page knew is in "
              + file
              + " ("
              + Files.size(file)
              + " bytes). "
              + (made ? "The directory was not there and has been made. " : "")
              + "To look at it: java -jar deimos.jar open "
              + file);
    } catch (IOException | RuntimeException e) {
      problems.accept(
          KEY
              + named
              + ": no dump was written ("
              + e
              + "). Name a directory that this process can write to");
    }
  }

  private String name(long nowMillis) {
    String more = number++ == 0 ? "" : "-" + number;
    return "deimos-dump-"
        + TIME.format(Instant.ofEpochMilli(nowMillis))
        + "-"
        + ProcessHandle.current().pid()
        + more
        + ".json.gz";
  }

  /** By name, which is by time. */
  private static void makeRoom(Path directory) throws IOException {
    List<Path> ours;
    try (Stream<Path> all = Files.list(directory)) {
      ours =
          all.filter(file -> file.getFileName().toString().matches(NAME))
              .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .sorted()
              .toList();
    }
    for (Path eldest : ours.subList(0, Math.max(0, ours.size() - MAX_FILES + 1))) {
      Files.deleteIfExists(eldest);
    }
  }
}
