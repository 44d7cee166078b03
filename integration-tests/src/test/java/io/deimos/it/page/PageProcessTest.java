// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.TestKeys;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A page of its own shows what joined it and what sends OTLP to it, and outlives both. The
 * application's work goes on all the while.
 */
class PageProcessTest {
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";
  private static final String VARIABLE = "DEIMOS_PAGE_SHARED_TOKEN";
  private static final String FLOODING = "00000000000f100d";

  @TempDir private Path directory;

  @Test
  void page_ofAKilledApplication_hasItsTracesTroubleAndActors() throws Exception {
    int port = Layout.freePort();
    int portOfItsOwn = Layout.freePort();
    RunningPage page = RunningPage.withToken("http://127.0.0.1:" + port, TOKEN);
    try (CuttableWire wire = CuttableWire.to(port);
        AgentJvm application =
            AgentJvm.on(Jdk.own())
                .agent(Layout.eitherForm())
                .property("deimos.page.join", "http://127.0.0.1:" + wire.port())
                .property("deimos.page.port", Integer.toString(portOfItsOwn))
                .property("otel.service.name", "joined")
                .environment(VARIABLE, TOKEN)
                .start("page-joined");
        AgentJvm process =
            page(Layout.deimos(), port).environment(VARIABLE, TOKEN).start("page-process");
        AgentJvm stranger =
            AgentJvm.on(Jdk.own())
                .agent(Layout.upstreamAgent())
                .property("otel.exporter.otlp.endpoint", page.url())
                .property("otel.exporter.otlp.headers", "X-Deimos-Token=" + TOKEN)
                .property("otel.exporter.otlp.protocol", "http/protobuf")
                .property("otel.exporter.otlp.compression", "gzip")
                .property("otel.service.name", "stranger")
                .property("otel.bsp.schedule.delay", "50")
                .start("page-stranger")) {
      process.awaitOut("that it takes OTLP", l -> l.startsWith("Takes OTLP over HTTP at "));
      application.awaitErr("that it has joined", l -> l.startsWith("deimos: on the page at "));
      application_thatJoins_opensNoPort(portOfItsOwn);
      AtWork.begin(application);
      application.tell("run trouble-dead-letter");
      stranger.tell("run user-child");
      page.await("/api/v1/nodes", all -> states(all).contains("sends"));
      page.await("/api/v1/trouble", all -> kinds(all).contains("dead_letter"));
      Config before = page.await("/api/v1/nodes", all -> states(all).contains("joined"));
      String id =
          before.getConfigList("nodes").stream()
              .filter(node -> node.getString("state").equals("joined"))
              .findFirst()
              .orElseThrow()
              .getString("id");
      String actors = "/nodes/" + id + "/api/v1/actors";
      page.await(
          "/api/v1/nodes",
          all ->
              all.getConfigList("nodes").stream()
                  .anyMatch(n -> n.getString("id").equals(id) && n.getLong("spansReceived") > 0));
      network_cutAndHealed_hasTheApplicationBackWithWhatHappenedMeanwhile(
          page, wire, application, id);
      node_thatFloods_isCutOffAndTheOthersStay(page, application, id, port);

      Config living = page.await(actors, all -> all.root().render().contains("scenarios."));
      page.await(
          "/api/v1/nodes",
          all ->
              all.getConfigList("nodes").stream()
                  .anyMatch(
                      n ->
                          n.getString("id").equals(id)
                              && n.getLong("keptAtMillis") > living.getLong("nowMillis")));
      AtWork.awaitMore(application);
      token_ofThePage_isOnNoPageAndInNoDump(page, id);

      assertThat(ProcessHandle.of(application.pid()).orElseThrow().destroyForcibly()).isTrue();

      page.await("/api/v1/nodes", all -> stateOf(all, id).equals("gone"));
      String trouble = page.get("/api/v1/trouble").body();
      assertThat(trouble).contains("A process has left the page: joined", "dead_letter");
      assertThat(page.get(actors).body()).contains("scenarios.");
      assertThat(page.get("/nodes/" + id + "/api/state").body()).contains("\"joined\"");
      HttpResponse<String> missing = page.get("/nodes/" + id + "/api/v1/actors/1");
      assertThat(missing.statusCode()).isEqualTo(404);
      assertThat(missing.body()).contains("this process is gone");
      List<? extends Config> traces = page.traces("?limit=1000");
      assertThat(traces).isNotEmpty();
      String ofBoth =
          traces.stream()
              .map(trace -> page.get("/api/traces/" + trace.getString("traceId")).body())
              .reduce("", String::concat);
      assertThat(ofBoth).as("traces of the application").contains("\"node\":\"" + id + "\"");
      Config nodes = page.json("/api/v1/nodes");
      assertThat(states(nodes)).containsOnlyOnce("page", "sends").contains("gone");
      assertThat(application.complaints())
          .as("what it said of the network")
          .allMatch(line -> line.contains("on the page at "));
      assertThat(process.err()).noneMatch(l -> l.contains("a failure of Deimos itself"));
      assertThat(process.transcript() + application.transcript()).as("logs").doesNotContain(TOKEN);
      int code = process.stop();
      assertThat(code).as(process.transcript()).isNotEqualTo(1);
    }
  }

  private static void application_thatJoins_opensNoPort(int port) {
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(ConnectException.class);
  }

  /** Both processes have it in a variable. */
  private static void token_ofThePage_isOnNoPageAndInNoDump(RunningPage page, String id)
      throws IOException {
    for (String path :
        List.of("/", "/api/state", "/api/settings", "/api/v1/nodes", "/api/v1/system")) {
      assertThat(page.get(path).body()).as(path).isNotEmpty().doesNotContain(TOKEN);
      String ofTheOther = "/nodes/" + id + path;
      assertThat(page.get(ofTheOther).body()).as(ofTheOther).doesNotContain(TOKEN);
    }
    assertThat(page.dump()).contains("deimosDump", "/api/state").doesNotContain(TOKEN);
  }

  /** Nothing gets through and nobody is told, as when a cable is pulled. */
  private static void network_cutAndHealed_hasTheApplicationBackWithWhatHappenedMeanwhile(
      RunningPage page, CuttableWire wire, AgentJvm application, String id) {
    wire.cut();
    page.await("/api/v1/nodes", all -> stateOf(all, id).equals("gone"));
    application.run("trouble-dead-letters");
    AtWork.awaitMore(application);
    wire.heal();
    page.await("/api/v1/nodes", all -> stateOf(all, id).equals("joined"));
    page.await("/api/v1/trouble", all -> all.root().render().contains("trouble-dead-letters"));
    AtWork.awaitMore(application);
  }

  private static void node_thatFloods_isCutOffAndTheOthersStay(
      RunningPage page, AgentJvm application, String id, int port) throws Exception {
    FloodingNode.flood(port, TOKEN, FLOODING);
    Config after = page.await("/api/v1/nodes", all -> stateOf(all, FLOODING).equals("gone"));
    assertThat(stateOf(after, id)).isEqualTo("joined");
    assertThat(page.get("/nodes/" + id + "/api/state").statusCode()).isEqualTo(200);
    AtWork.awaitMore(application);
  }

  /** Empty if the page does not know it. */
  private static String stateOf(Config nodes, String id) {
    return nodes.getConfigList("nodes").stream()
        .filter(node -> node.getString("id").equals(id))
        .map(node -> node.getString("state"))
        .findFirst()
        .orElse("");
  }

  /** HTTP/2 is in the jar for this process, and no application loads any of it. */
  @Test
  void page_ofItsOwn_takesGrpcAndAnApplicationDoesNotEvenLoadThat() throws Exception {
    int port = Layout.freePort();
    int grpcPort = Layout.freePort();
    RunningPage page = new RunningPage("http://127.0.0.1:" + port);
    Path loaded = directory.resolve("loaded.txt");
    try (AgentJvm process =
            page(Layout.deimos(), port, "--grpc-port", Integer.toString(grpcPort))
                .start("page-grpc");
        AgentJvm stranger =
            AgentJvm.on(Jdk.own())
                .agent(Layout.upstreamAgent())
                .property("otel.exporter.otlp.endpoint", "http://127.0.0.1:" + grpcPort)
                .property("otel.exporter.otlp.protocol", "grpc")
                .property("otel.exporter.otlp.compression", "gzip")
                .property("otel.service.name", "stranger")
                .property("otel.bsp.schedule.delay", "50")
                .property("otel.metric.export.interval", "500")
                .start("page-grpc-stranger");
        AgentJvm application =
            AgentJvm.on(Jdk.own())
                .agent(Layout.deimos())
                .option("-Xlog:class+load=info:file=" + loaded)
                .property("deimos.page.port", "0")
                .start("page-grpc-application")) {
      process.awaitOut("that it takes OTLP", l -> l.contains(" and over gRPC at "));
      stranger.tell("run user-child");
      Config all =
          page.await(
              "/api/v1/nodes",
              nodes ->
                  states(nodes).contains("sends")
                      && nodes.getLong("otlp.notKept") > 0
                      && nodes.getLong("otlp.spans") > 0);
      assertThat(all.getLong("otlp.refused")).isZero();
      assertThat(page.traces("?limit=100")).isNotEmpty();
      assertThat(stranger.err()).noneMatch(line -> line.contains("Failed to export"));

      RunningPage own = RunningPage.of(application);
      try (Socket client =
          new Socket(InetAddress.getLoopbackAddress(), URI.create(own.url()).getPort())) {
        client
            .getOutputStream()
            .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .startsWith("HTTP/1.1 505 ");
      }
      assertThat(own.json("/api/v1/nodes").getIsNull("otlp")).isTrue();
      assertThat(Files.readString(loaded))
          .contains("io.deimos.agent.http.HttpLoop ")
          .doesNotContain("io.deimos.agent.httpcore", "io.deimos.cli");
    }
  }

  @Test
  void page_ofAnotherVersion_isNotJoinedAndTheApplicationRuns() throws Exception {
    int port = Layout.freePort();
    Path newer = Files.copy(Layout.deimos(), directory.resolve("newer.jar"));
    try (FileSystem jar = FileSystems.newFileSystem(newer)) {
      Files.writeString(
          jar.getPath("inst/io/deimos/agent/span/version.properties"), "version=9.1.0\n");
    }
    try (AgentJvm process = page(newer, port).start("page-newer")) {
      process.awaitOut("that it takes OTLP", l -> l.startsWith("Takes OTLP over HTTP at "));
      try (AgentJvm application =
          AgentJvm.on(Jdk.own())
              .agent(Layout.eitherForm())
              .property("deimos.page.port", Integer.toString(port))
              .start("page-older")) {
        application.tell("run trouble-dead-letter").tell("end");
        assertThat(application.awaitExit()).as(application.transcript()).isZero();
        assertThat(application.complaints())
            .hasSize(1)
            .allMatch(line -> line.contains("has the page of another version of Deimos (9.1.0"));
      }
    }
  }

  @Test
  void page_beyondThisMachineWithoutTlsOrToken_isRefusedInOneLine() {
    try (AgentJvm process =
        AgentJvm.on(Jdk.own())
            .classPath(List.of(Layout.deimos()))
            .runs("io.deimos.launch.Main", "page", "--port", "0", "--listen", "0.0.0.0")
            .start("page-open")) {
      assertThat(process.awaitExit()).isEqualTo(2);
      assertThat(process.err())
          .hasSize(1)
          .allMatch(line -> line.contains("--listen 0.0.0.0") && line.contains("needs TLS"));
    }
  }

  /** Nobody in a container can change these modes, and whoever runs it has said who may read. */
  @Test
  void page_withSecretsAsContainersMountThem_readsThem() throws Exception {
    try (AgentJvm process = pageWithSecrets("ro").start("page-secrets")) {
      process.awaitErr("that it serves", l -> l.startsWith("deimos: page at https://"));
    }
    try (AgentJvm process = pageWithSecrets("rw").start("page-no-secrets")) {
      assertThat(process.awaitExit()).isEqualTo(2);
      assertThat(process.err())
          .hasSize(1)
          .allMatch(
              line -> line.contains("kubernetes/token: no token from there (others may read"));
    }
  }

  /**
   * Its token is in a volume of Kubernetes, its key in a file of Docker.
   *
   * @param how they are mounted: {@code ro} or {@code rw}
   */
  private AgentJvm.Builder pageWithSecrets(String how) throws Exception {
    Path here = Files.createDirectory(directory.resolve(how));
    TestKeys keys = TestKeys.make(here, "page");
    Files.writeString(here.resolve("token"), TOKEN);
    String mounts =
        """
        cd "$0"; how=$1; shift; mkdir kubernetes docker made
        mount -t tmpfs none kubernetes; mkdir kubernetes/..1
        cp token kubernetes/..1/; chmod 0440 kubernetes/..1/token
        ln -s ..1 kubernetes/..data; ln -s ..data/token kubernetes/token
        mount -o "remount,$how" kubernetes
        mount -t tmpfs none made; cp page.key made/; chmod 0444 made/page.key
        touch docker/page.key; mount --bind made/page.key docker/page.key
        mount -o "remount,bind,$how" docker/page.key
        exec "$@"
        """;
    return page(Layout.deimos(), 0, "--grpc-port", "0")
        .within("unshare", "--mount", "sh", "-ec", mounts, here.toString(), how)
        .environment("DEIMOS_PAGE_SHARED_TOKEN_FILE", here + "/kubernetes/token")
        .environment("DEIMOS_PAGE_TLS_CERTIFICATE", keys.certificateFile().toString())
        .environment("DEIMOS_PAGE_TLS_KEY", here + "/docker/page.key");
  }

  private static AgentJvm.Builder page(Path jar, int port) {
    return page(jar, port, "--grpc-port", "0");
  }

  private static AgentJvm.Builder page(Path jar, int port, String... more) {
    List<String> arguments = new ArrayList<>(List.of("io.deimos.launch.Main", "page"));
    arguments.addAll(List.of("--port", Integer.toString(port), "--otlp-port", "0"));
    arguments.addAll(List.of(more));
    return AgentJvm.on(Jdk.own()).classPath(List.of(jar)).runs(arguments.toArray(String[]::new));
  }

  private static List<String> states(Config nodes) {
    return nodes.getConfigList("nodes").stream().map(node -> node.getString("state")).toList();
  }

  private static List<String> kinds(Config trouble) {
    return trouble.getConfigList("groups").stream().map(group -> group.getString("kind")).toList();
  }
}
