// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Asks Deimos' page for what a browser asks that has its overview open: the page and its history
 * once, the state each second, the list of traces and of processes every other second.
 */
final class OpenPage implements AutoCloseable {
  private static final int OK = 200;
  private static final long SECOND_MILLIS = 1000;

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI page;
  private final String process;
  private final Thread thread = new Thread(this::run, "open page");
  private volatile boolean answered;
  private volatile String failure = "";
  private volatile boolean closed;

  /**
   * @param process the path of the process that is looked at; empty for the one that has the page
   */
  OpenPage(URI page, String process) {
    this.page = page;
    this.process = process;
    thread.setDaemon(true);
    thread.start();
  }

  /** Fails if a request was not answered, or none was made: then the page was not open. */
  void check() throws ForkFailedException {
    if (!failure.isEmpty() || !answered) {
      throw new ForkFailedException("the page at " + page + " did not answer: " + failure);
    }
  }

  private void run() {
    try {
      ask("/");
      ask(process + "/api/history");
      for (int second = 0; !closed; second++) {
        ask(process + "/api/state");
        if (second % 2 == 0) {
          ask("/api/v1/nodes");
          ask("/api/traces?limit=100");
        }
        Thread.sleep(SECOND_MILLIS);
      }
    } catch (IOException e) {
      failure = e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  private void ask(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(page.resolve(path))
            .header("Accept-Encoding", "gzip")
            .timeout(Duration.ofSeconds(5))
            .build();
    int status = client.send(request, BodyHandlers.ofByteArray()).statusCode();
    if (status != OK) {
      throw new IOException(path + ": status " + status);
    }
    answered = true;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
