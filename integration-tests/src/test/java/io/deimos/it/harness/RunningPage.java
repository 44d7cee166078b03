// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Reads what the page of a running JVM says. Its answers are JSON, which HOCON's parser reads. */
public final class RunningPage {
  private static final Pattern ADDRESS =
      Pattern.compile("deimos: page at (http://[^/ ]+)(?:/#token=([0-9a-f]+))?");
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** The rules that find what a machine with too much to do does to any application. */
  private static final Set<String> OF_A_SLOW_MACHINE =
      Set.of(
          "ask-timeout-tight",
          "bottleneck",
          "dispatcher-threads",
          "mailbox-grows",
          "telemetry-costs",
          "thread-blocked",
          "timer-overtakes");

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final String url;
  private final String token;
  private final boolean isTold;

  public RunningPage(String url) {
    this(url, "", false);
  }

  private RunningPage(String url, String token, boolean isTold) {
    this.url = url;
    this.token = token;
    this.isTold = isTold;
  }

  /** One that nobody may read without the token. */
  public static RunningPage withToken(String url, String token) {
    return new RunningPage(url, token, true);
  }

  /** The page of a JVM that serves it on a port of its choice, as the agent says on start. */
  public static RunningPage of(AgentJvm jvm) {
    String line = jvm.awaitErr("the page's address", l -> l.startsWith("deimos: page at "));
    Matcher said = ADDRESS.matcher(line);
    if (!said.lookingAt()) {
      throw new AssertionError("no address in: " + line);
    }
    return new RunningPage(said.group(1), said.group(2) == null ? "" : said.group(2), false);
  }

  /** The token that changes need, as the start-up line says it. */
  public String token() {
    return token;
  }

  /** As the start-up line says it, for a browser. */
  public String urlWithToken() {
    return url + "/#token=" + token;
  }

  public String url() {
    return url;
  }

  /**
   * A command of {@code deimos.jar} that asks this page. It has the token from its environment,
   * since a command line everybody on the machine can read.
   */
  public Program command(Jdk jdk, String... arguments) {
    ProcessBuilder builder = Program.deimos(jdk, arguments);
    builder.command().addAll(List.of("--page", url));
    builder.environment().put("DEIMOS_PAGE_TOKEN", token);
    return Program.run(builder);
  }

  /**
   * Changes settings with the token.
   *
   * @return the status of the answer
   */
  public int change(String query) {
    return send(request("/api/v1/settings?" + query)
            .header("X-Deimos-Token", token)
            .POST(HttpRequest.BodyPublishers.noBody()))
        .statusCode();
  }

  /** Changes one setting; returns the status of the answer. */
  public int set(String key, String value) {
    return change("key=" + encoded(key) + "&value=" + encoded(value));
  }

  public HttpResponse<String> get(String path) {
    return get(path, "*/*");
  }

  public HttpResponse<String> get(String path, String accepted) {
    HttpRequest.Builder request = request(path).header("Accept", accepted);
    if (isTold) {
      request.header("X-Deimos-Token", token);
    }
    return send(request);
  }

  /** All that the page knows, unpacked. */
  public String dump() throws IOException {
    HttpRequest request = request("/api/v1/dump").header("X-Deimos-Token", token).build();
    try (InputStream packed =
        client.send(request, HttpResponse.BodyHandlers.ofInputStream()).body()) {
      return new String(new GZIPInputStream(packed).readAllBytes(), StandardCharsets.UTF_8);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** The answer of a tool for assistants, without arguments. */
  public String tool(String name) {
    String message =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\""
            + name
            + "\",\"arguments\":{}}}";
    return send(request("/mcp")
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(HttpRequest.BodyPublishers.ofString(message)))
        .body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
  }

  private HttpResponse<String> send(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(request.toString(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The answer of who comes again when told so: searches share what they may take. */
  private HttpResponse<String> answered(String path) {
    return Eventually.see(
        () -> get(path),
        answer -> answer.headers().firstValue("Retry-After").isEmpty(),
        last -> path + ": " + last);
  }

  public Config json(String path) {
    HttpResponse<String> response = answered(path);
    if (response.statusCode() != 200) {
      throw new AssertionError(path + ": " + response.statusCode() + " " + response.body());
    }
    String body = response.body();
    return ConfigFactory.parseString(body.startsWith("[") ? "{\"list\":" + body + "}" : body);
  }

  public Config state() {
    return json("/api/state");
  }

  /** The findings of {@code check}, without those that a slow machine may explain. */
  public List<? extends Config> findings() {
    return json("/api/v1/check").getConfigList("findings").stream()
        .filter(one -> !OF_A_SLOW_MACHINE.contains(one.getString("rule")))
        .toList();
  }

  public List<? extends Config> traces(String query) {
    Config answer = json("/api/traces" + query);
    return answer.getConfigList(answer.hasPath("list") ? "list" : "traces");
  }

  public Config trace(String id) {
    return json("/api/traces/" + id);
  }

  /** Its answer to this once it is there and that is as wanted. */
  public Config await(String path, Predicate<Config> condition) {
    return Eventually.see(
        () -> {
          try {
            return json(path);
          } catch (UncheckedIOException e) {
            return ConfigFactory.empty();
          }
        },
        said -> !said.isEmpty() && condition.test(said),
        last -> path + ": " + last);
  }

  public Config awaitState(String what, Predicate<Config> condition) {
    return Eventually.see(this::state, condition, last -> what + "; " + last);
  }
}
