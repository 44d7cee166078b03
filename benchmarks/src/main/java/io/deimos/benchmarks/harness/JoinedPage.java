// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code java -jar deimos.jar page}, a process of its own that the shop joins. */
final class JoinedPage implements AutoCloseable {
  private static final Pattern ADDRESS =
      Pattern.compile("Takes OTLP over HTTP at (http://[0-9.]+:[0-9]+)");
  private static final long JOIN_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_MILLIS = 100;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final URI address;

  JoinedPage(Options options) throws IOException, ForkFailedException {
    Path log = options.home().resolve("target/logs/app-joined-page.log").toAbsolutePath();
    Files.createDirectories(log.getParent());
    process =
        Fork.builder(
                List.of(
                    options.jvm().jdk().resolve("bin/java").toString(),
                    "-Xmx256m",
                    "-jar",
                    options.agent().toString(),
                    "page",
                    "--port",
                    "0",
                    "--otlp-port",
                    "0",
                    "--grpc-port",
                    "0"))
            .redirectError(log.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    String line =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    Matcher said = ADDRESS.matcher(line == null ? "" : line);
    if (!said.lookingAt()) {
      close();
      throw new ForkFailedException("the page did not start; see " + log);
    }
    address = URI.create(said.group(1));
  }

  URI address() {
    return address;
  }

  /** Waits until this process has joined; returns the path of what it is asked for there. */
  String awaitJoined(long pid) throws IOException, ForkFailedException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address.resolve("/api/v1/nodes")).build();
    long until = System.nanoTime() + JOIN_TIMEOUT_NANOS;
    Pattern joined =
        Pattern.compile("\"id\":\"([0-9a-f]{16})\",\"state\":\"joined\"[^{}]*\"pid\":" + pid + ",");
    while (System.nanoTime() - until < 0) {
      Matcher node = joined.matcher(client.send(request, BodyHandlers.ofString()).body());
      if (node.find()) {
        return "/nodes/" + node.group(1);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    throw new ForkFailedException("the shop has not joined the page at " + address);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
