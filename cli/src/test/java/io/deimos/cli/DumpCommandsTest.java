// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpCommandsTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    return new Commands(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            "1.2.3")
        .run(Map.of(), arguments);
  }

  private static HttpServer page(int status, String body) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/dump",
        exchange -> {
          exchange.sendResponseHeaders(status, 0);
          exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void dump_ofAPage_isTheFile() throws IOException {
    HttpServer server = page(200, "all");
    Path file = directory.resolve("d.gz");
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    assertThat(run("dump", file.toString(), "--page", url)).isZero();
    assertThat(file).hasContent("all");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(directory).isDirectoryNotContaining(one -> !one.equals(file));
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("3 bytes", "deimos.jar open");
    assertThat(run("dump", file.toString(), "--page", url)).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("is there already");
    server.stop(0);
  }

  @Test
  void dump_whereALinkIs_isRefused() throws IOException {
    HttpServer server = page(200, "all");
    Path elsewhere = directory.resolve("elsewhere");
    Path link = Files.createSymbolicLink(directory.resolve("d.gz"), elsewhere);
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    assertThat(run("dump", link.toString(), "--page", url)).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("is there already");
    assertThat(elsewhere).doesNotExist();
    server.stop(0);
  }

  @Test
  void write_whatBreaksOff_leavesNoFile() throws IOException {
    InputStream end = InputStream.nullInputStream();
    end.close();
    InputStream broken = new SequenceInputStream(new ByteArrayInputStream(new byte[100_000]), end);
    Path file = directory.resolve("d.gz");
    assertThatThrownBy(() -> OwnFile.write(broken, file)).hasMessage("Stream closed");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void dump_refused_saysWhyAndLeavesNoFile() throws IOException {
    HttpServer server = page(403, "{\"error\":\"it needs the token\"}");
    Path file = directory.resolve("d.gz");
    assertThat(
            run(
                "dump",
                file.toString(),
                "--page",
                "http://127.0.0.1:" + server.getAddress().getPort()))
        .isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("deimos: it needs the token");
    assertThat(file).doesNotExist();
    server.stop(0);
  }

  @Test
  void commands_misused_sayWhatIsMissing() {
    assertThat(run("dump")).isEqualTo(2);
    assertThat(run("open", "a", "b")).isEqualTo(2);
    assertThat(run("open", directory.resolve("none").toString())).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("dump needs a file, and takes --page URL", "open needs a file", "no file that");
  }

  @Test
  void commands_nameThatNoFileCanHave_sayIt() {
    for (String command : new String[] {"dump", "open"}) {
      err.reset();
      assertThat(run(command, "d\0.gz")).as(command).isEqualTo(2);
      assertThat(err.toString(StandardCharsets.UTF_8))
          .contains("deimos: d\0.gz cannot be the name of a file");
    }
  }

  @Test
  void server_ofADump_servesThePageAndTheFileToThisMachineOnly() throws Exception {
    Path file = Files.writeString(directory.resolve("d.gz"), "packed");
    DumpServer server = new DumpServer(file, 0);
    Thread serving = new Thread(server::run);
    serving.start();
    try {
      String url = server.url().replace("/?dump", "");
      assertThat(get(url + "/dump")).isEqualTo("packed");
      assertThat(get(server.url())).contains("<html");
      assertThat(status(url + "/etc")).isEqualTo(404);
      String port = "http://127.0.0.1:" + new URL(url).getPort();
      assertThat(status(port + "/dump")).as("without the address").isEqualTo(404);
      assertThat(status(port + "/?dump")).isEqualTo(404);
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), new URL(url).getPort())) {
        socket
            .getOutputStream()
            .write(
                "GET /dump HTTP/1.1\r\nHost: evil.example\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .startsWith("HTTP/1.1 403");
      }
    } finally {
      server.close();
    }
    serving.join();
  }

  private static int status(String url) throws IOException {
    return ((HttpURLConnection) new URL(url).openConnection()).getResponseCode();
  }

  private static String get(String url) throws IOException {
    try (var in = new URL(url).openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
