// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.SettingLine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A value from outside is a plain value: it reads nothing, fetches nothing, and has a bound. */
class PostedValueTest {
  @TempDir private Path directory;

  private final List<String> problems = new ArrayList<>();
  private final LiveSettings settings =
      LiveSettings.read(
          Map.of(),
          Map.of(),
          Layer.empty(),
          ClassLoader.getPlatformClassLoader(),
          problems::add,
          line -> problems.add(line));

  @Test
  void set_substitution_isRefusedAndReadsNothing() {
    String home = System.getenv("PATH");
    for (String name : List.of("PATH", "?PATH", "java.home")) {
      String refused =
          settings.set("deimos.actors", "{ \"/user/a\" { tracing = ${" + name + "} } }");
      assertThat(refused).contains("deimos.actors", "substitution").doesNotContain(home);
    }
    assertThat(settings.lines().toString()).doesNotContain(home, System.getProperty("java.home"));
    assertThat(problems).isEmpty();
  }

  @Test
  void set_include_isRefusedAndReadsNothing() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret.conf"), "\"/user/secret\" = {}");
    AtomicInteger fetched = new AtomicInteger();
    HttpServer site =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.createContext(
        "/",
        exchange -> {
          fetched.incrementAndGet();
          exchange.close();
        });
    site.start();
    try {
      for (String include :
          List.of(
              "file(\"" + secret + "\")",
              "url(\"http://127.0.0.1:" + site.getAddress().getPort() + "/a.conf\")",
              "classpath(\"reference.conf\")",
              "required(file(\"" + secret + "\"))",
              "\"" + secret + "\"")) {
        assertThat(settings.set("deimos.actors", "{ include " + include + " }"))
            .as(include)
            .contains("deimos.actors", "include");
      }
    } finally {
      site.stop(0);
    }
    assertThat(fetched).hasValue(0);
    assertThat(settings.lines().toString()).doesNotContain("/user/secret");
  }

  @Test
  void set_tooLongOrTooDeep_isRefused() {
    assertThat(settings.set("deimos.messages.never", "a".repeat(100_000))).contains("too long");
    assertThat(settings.set("deimos.actors", "a=" + "[".repeat(1_500) + "]".repeat(1_500)))
        .contains("nested too deeply");
    assertThat(settings.set("deimos.actors", "a" + ".a".repeat(1_500) + "=1"))
        .contains("nested too deeply");
    assertThat(settings.current().get(Keys.ACTORS).isEmpty()).isTrue();
  }

  @Test
  void set_refusedValue_isShortAndOnOneLine() {
    String refused = settings.set("deimos.stuck.threshold", "1\r\ndeimos: forged\u001b[2J\u202e");
    assertThat(refused)
        .contains("1\\r\\ndeimos: forged\\u001b[2J\\u202e")
        .doesNotContain("\n", "\r", "\u001b", "\u202e");
    assertThat(settings.set("deimos.stuck.threshold", "9".repeat(3_000))).hasSizeLessThan(600);
  }

  @Test
  void set_contentFilterOrRedactor_isLeftToTheOperator() {
    for (String key :
        List.of(
            "deimos.filter",
            "deimos.content.messages",
            "deimos.content.max-length",
            "deimos.content.late",
            "deimos.content.eager",
            "deimos.content.redactor",
            "deimos.content.state")) {
      assertThat(settings.set(key, "1")).as(key).contains(key, "not from the page");
    }
    assertThat(settings.set("deimos.content.logs", "debug"))
        .contains("deimos.content.logs", "cannot change while the application runs");
    assertThat(settings.lines())
        .filteredOn(line -> line.name().startsWith("deimos.content."))
        .hasSize(7)
        .noneMatch(SettingLine::mayChange);
  }

  @Test
  void file_includeOrSubstitution_isRefusedAndSaidWithTheFile() throws IOException {
    Path file = directory.resolve("control.conf");
    ControlFile control = new ControlFile(file, settings, problems::add, problems::add);
    for (String text :
        List.of("include url(\"http://127.0.0.1:1/\")", "deimos.actors { a = ${PATH} }")) {
      Files.writeString(file, text);
      control.look();
      assertThat(problems).hasSize(1);
      assertThat(problems.remove(0)).contains("deimos.control.file=" + file, "still holds");
    }
  }
}
