// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders over HTTP from outside of the shop's process, at a steady pace, and their times.
 *
 * <p>An order's time is that of three requests, two articles into a new cart and a look at it. Its
 * payment is asked for as well and not timed: the shop's card network answers at random.
 */
final class Visitors implements AutoCloseable {
  private static final int SERVER_ERROR = 500;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI shop;
  private final long everyNanos;
  private final Thread thread = new Thread(this::run, "visitors");
  private final List<Double> millis = new ArrayList<>();
  private int failed;
  private volatile boolean closed;

  Visitors(URI shop, double perSecond) {
    this.shop = shop;
    everyNanos = (long) (1e9 / perSecond);
    thread.setDaemon(true);
    thread.start();
  }

  /** Forgets the orders so far. */
  synchronized void forget() {
    millis.clear();
    failed = 0;
  }

  /** The times of the orders since, in ms. */
  synchronized List<Double> millis() {
    return List.copyOf(millis);
  }

  /** How many orders since had a request without an answer, or one with a server's error. */
  synchronized int failed() {
    return failed;
  }

  private void run() {
    long next = System.nanoTime();
    for (int i = 0; !closed; i++) {
      next += everyNanos;
      long pause = next - System.nanoTime();
      try {
        if (pause > 0) {
          Thread.sleep(pause / 1_000_000, (int) (pause % 1_000_000));
        }
        order("visitor-" + i);
      } catch (InterruptedException e) {
        return;
      } catch (IOException e) {
        lost();
      }
    }
  }

  private void order(String cart) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    boolean answered =
        request(cart, "/items", "{\"sku\":\"mug\",\"quantity\":1}")
            && request(cart, "/items", "{\"sku\":\"kettle\",\"quantity\":1}")
            && request(cart, "", null);
    double took = (System.nanoTime() - begun) / 1e6;
    if (answered) {
      took(took);
    } else {
      lost();
    }
    boolean unused = request(cart, "/checkout", ""); // may fail: some cards are declined
  }

  private boolean request(String cart, String path, @Nullable String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(shop.resolve("/carts/" + cart + path)).timeout(TIMEOUT);
    if (body == null) {
      request.GET();
    } else {
      request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }
    return client.send(request.build(), BodyHandlers.ofString()).statusCode() < SERVER_ERROR;
  }

  private synchronized void took(double time) {
    millis.add(time);
  }

  private synchronized void lost() {
    failed++;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
