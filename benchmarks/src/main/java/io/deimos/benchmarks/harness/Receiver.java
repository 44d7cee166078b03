// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import io.deimos.benchmarks.export.OtlpCounter;
import io.deimos.benchmarks.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The span counter in a process of its own, and the requests that the harness makes of it. */
final class Receiver implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final Fork fork;
  private final String endpoint;

  private Receiver(Fork fork, int port) {
    this.fork = fork;
    endpoint = "http://127.0.0.1:" + port;
  }

  static Receiver start(Options options) throws IOException, ForkFailedException {
    Path home = options.home();
    Fork fork =
        Fork.start(
            "receiver",
            List.of(
                options.jvm().jdk().resolve("bin/java").toString(),
                "-Xms512m",
                "-Xmx512m",
                "-XX:+UseParallelGC",
                "-cp",
                home.resolve("target/classes").toAbsolutePath().toString(),
                OtlpCounter.class.getName()),
            home.resolve("target/logs/receiver.log"));
    try {
      return new Receiver(fork, (int) Samples.number(fork.result(30), "port"));
    } catch (ForkFailedException e) {
      fork.close();
      throw e;
    }
  }

  String endpoint() {
    return endpoint;
  }

  Map<String, Object> counts() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(endpoint + "/count")).build();
    return Json.parseObject(client.send(request, BodyHandlers.ofString()).body());
  }

  @Override
  public void close() {
    fork.close();
  }
}
