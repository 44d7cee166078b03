// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL of the Debian package, with a database of its own that is gone with it. It refuses
 * to run as root, so there it runs as nobody.
 */
public final class Postgres implements AutoCloseable {
  private static final String USER = "deimos";

  private final Process server;
  private final Path directory;
  private final int port;

  private Postgres(Process server, Path directory, int port) {
    this.server = server;
    this.directory = directory;
    this.port = port;
  }

  public static Postgres start() {
    try {
      Path directory = Files.createTempDirectory("deimos-postgres");
      if (isRoot()) {
        run(directory, List.of("chown", "nobody", directory.toString()));
      }
      Path data = directory.resolve("data");
      run(
          directory,
          asNobody(
              program("initdb"),
              "-D",
              data.toString(),
              "-U",
              USER,
              "-A",
              "trust",
              "-E",
              "UTF8",
              "--no-sync"));
      int port = Layout.freePort();
      Process server =
          process(
              directory,
              asNobody(
                  program("postgres"),
                  "-D",
                  data.toString(),
                  "-h",
                  "127.0.0.1",
                  "-p",
                  Integer.toString(port),
                  "-k",
                  directory.toString(),
                  "-F"));
      Postgres started = new Postgres(server, directory, port);
      started.awaitReady();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  private void awaitReady() {
    Eventually.await(this::answers, () -> "PostgreSQL did not start; see " + log(directory));
  }

  /** Whether it takes connections. A port that is open is not enough: it refuses them at first. */
  private boolean answers() {
    try {
      return process(
                  directory,
                  List.of(
                      program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", Integer.toString(port)))
              .waitFor()
          == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name", "").equals("root");
  }

  private static List<String> asNobody(String... command) {
    List<String> all = new ArrayList<>();
    if (isRoot()) {
      all.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
    }
    all.addAll(List.of(command));
    return all;
  }

  /** The newest version's; Debian does not put it on the path. */
  private static String program(String name) throws IOException {
    try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
      return versions
          .map(version -> version.resolve("bin").resolve(name))
          .filter(Files::isExecutable)
          .max(Path::compareTo)
          .orElseThrow(
              () -> new IllegalStateException(name + " is missing; install Debian's postgresql"))
          .toString();
    }
  }

  private static void run(Path directory, List<String> command) throws IOException {
    try {
      int code = process(directory, command).waitFor();
      if (code != 0) {
        throw new IllegalStateException(
            command + " ended with " + code + "; see " + log(directory));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Process process(Path directory, List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log(directory).toFile()))
        .start();
  }

  private static Path log(Path directory) {
    return Layout.target().resolve(directory.getFileName() + ".log");
  }

  @Override
  public void close() {
    server.destroy();
    try {
      if (!server.waitFor(90, TimeUnit.SECONDS)) {
        server.destroyForcibly();
      }
      run(directory, List.of("rm", "-rf", directory.toString()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
