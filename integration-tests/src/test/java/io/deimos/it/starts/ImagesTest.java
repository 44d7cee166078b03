// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OciImage;
import io.deimos.it.harness.Program;
import io.deimos.it.harness.TestKeys;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The images, unpacked and run in roots of their own: as init containers run {@code cp}, and as
 * Kubernetes runs the page.
 */
class ImagesTest {
  private static final String VERSION = "1.2.3-test";
  private static final String USER = "65532:65532";
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";
  private static final List<String> NAMES =
      List.of("deimos-agent", "deimos-extension", "deimos-page");

  /** The field in the header of a program: ELF's e_machine. */
  private static final Map<String, Integer> MACHINES = Map.of("amd64", 62, "arm64", 183);

  private static final String OWN =
      System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";

  @TempDir private static Path directory;
  private static final Map<String, OciImage> IMAGES = new HashMap<>();

  @BeforeAll
  static void build() throws IOException {
    build("first", "022", "UTC").succeeds();
    for (String name : NAMES) {
      IMAGES.put(name, OciImage.unpacked(tar("first", name), directory.resolve(name)));
    }
  }

  private static OciImage image(String name) {
    return Objects.requireNonNull(IMAGES.get(name), name);
  }

  private static Program build(String output, String umask, String zone) {
    ProcessBuilder builder =
        new ProcessBuilder(
            "sh",
            "-c",
            "umask " + umask + " && exec \"$@\"",
            "sh",
            Layout.root().resolve("images/build").toString(),
            VERSION,
            Layout.deimos().resolveSibling(".").toString(),
            directory.resolve(output).toString());
    builder.environment().put("TZ", zone);
    return Program.run(builder);
  }

  private static Path tar(String output, String name) {
    return directory.resolve(output).resolve(name + "-" + VERSION + ".tar");
  }

  @Test
  void build_again_givesTheSameBytes() throws IOException {
    build("second", "077", "Asia/Tokyo").succeeds();
    for (String name : NAMES) {
      assertThat(Files.mismatch(tar("first", name), tar("second", name))).as(name).isEqualTo(-1);
    }
  }

  @Test
  void build_withoutTheJars_saysWhichIsMissing() {
    Path nothing = directory.resolve("nothing");
    Program program =
        Program.run(
            Layout.root().resolve("images/build").toString(),
            VERSION,
            nothing.toString(),
            nothing.toString());
    assertThat(program.code()).isEqualTo(1);
    assertThat(program.said().lines())
        .singleElement()
        .asString()
        .startsWith("images/build: " + nothing + "/deimos.jar is missing;");
    assertThat(nothing).doesNotExist();
  }

  @Test
  void images_ofEachArchitecture_haveItsProgramsAndAUserWhoIsNotRoot() throws IOException {
    for (String name : NAMES) {
      OciImage image = image(name);
      assertThat(
              image.descriptor().getConfig("annotations").root().unwrapped().values().stream()
                  .map(Object::toString))
          .containsExactlyInAnyOrder(VERSION, "localhost/" + name + ":" + VERSION);
      assertThat(image.platforms())
          .extracting(platform -> platform.getString("platform.architecture"))
          .containsExactly("amd64", "arm64");
      for (var each : MACHINES.entrySet()) {
        String architecture = each.getKey();
        Integer machine = each.getValue();
        Config configuration = image.configuration(architecture);
        assertThat(configuration.getString("architecture")).isEqualTo(architecture);
        assertThat(configuration.getString("config.User")).isEqualTo(USER);
        Path root = image.root(architecture, directory.resolve(name + "-" + architecture));
        assertThat(machines(root)).isNotEmpty().containsOnly(machine);
      }
    }
  }

  private static List<Integer> machines(Path root) throws IOException {
    List<Integer> machines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (InputStream in = Files.newInputStream(file)) {
          byte[] head = in.readNBytes(20);
          if (head.length == 20 && head[0] == 0x7f && head[1] == 'E') {
            machines.add((head[18] & 0xff) | (head[19] & 0xff) << 8);
          }
        }
      }
    }
    return machines;
  }

  @Test
  void agent_copiedByAnInitContainer_startsWithAnApplication() throws IOException {
    Path volume = copied("deimos-agent", "/otel", "cp", "/javaagent.jar", "/otel/javaagent.jar");
    Path agent = volume.resolve("javaagent.jar");
    assertThat(Files.mismatch(agent, Layout.deimos())).isEqualTo(-1);
    try (AgentJvm application =
        AgentJvm.on(Jdk.own())
            .agent(agent)
            .property("deimos.page.port", "0")
            .start("image-agent")) {
      application.awaitErr("its page", line -> line.startsWith("deimos: page at "));
      application.run("classic-tell");
      assertThat(application.complaints()).isEmpty();
    }
  }

  /** As the operator does it, into a folder that is not there yet. */
  @Test
  void extension_copiedByAnInitContainer_isFoundByTheAgent() throws IOException {
    Path volume =
        copied("deimos-extension", "/otel", "cp", "-r", "/extensions/.", "/otel/extensions");
    try (AgentJvm application =
        AgentJvm.on(Jdk.own())
            .agent(Layout.upstreamAgent())
            .property("otel.javaagent.extensions", volume.resolve("extensions").toString())
            .property("deimos.page.port", "0")
            .start("image-extension")) {
      application.awaitErr("its page", line -> line.startsWith("deimos: page at "));
      application.run("classic-tell");
      assertThat(application.complaints()).isEmpty();
    }
  }

  /**
   * Runs a container's command as the image's user, with nothing but what is in the image.
   *
   * @param mount where a volume for all users is in the container
   */
  private static Path copied(String name, String mount, String... command) throws IOException {
    OciImage image = image(name);
    Path root = image.root(OWN, directory.resolve(name + "-run"));
    Path volume = Files.createDirectory(root.resolve(mount.substring(1)));
    Program.run("chmod", "777", volume.toString()).succeeds();
    List<String> whole = new ArrayList<>(List.of("env", "-i"));
    whole.addAll(image.configuration(OWN).getStringList("config.Env"));
    whole.addAll(List.of("/usr/sbin/chroot", "--userspec=" + USER, root.toString()));
    whole.addAll(List.of(command));
    Program.run(whole.toArray(String[]::new)).succeeds();
    return volume;
  }

  /**
   * As kubernetes/page.yaml has it run: nothing can be written but /tmp, and the secrets are of the
   * pod's group, with mode 0440.
   */
  @Test
  void page_inAContainerOfItsOwn_answersAndIsNotRoot() throws Exception {
    TestKeys keys = TestKeys.make(directory, "page");
    Path secrets = Files.createDirectory(directory.resolve("secrets"));
    Files.writeString(secrets.resolve("token"), TOKEN);
    Files.copy(keys.certificateFile(), secrets.resolve("tls.crt"));
    Files.copy(keys.keyFile(), secrets.resolve("tls.key"));
    int port = Layout.freePort();
    String mounts =
        """
        mount --bind "$0" "$0"; cd "$0"; mkdir -p proc dev run/secrets/deimos
        mount -t proc none proc; mount --rbind /dev dev; mount -t tmpfs -o mode=1777 none tmp
        mount -t tmpfs none run/secrets/deimos; cp "$1"/* run/secrets/deimos/
        chown 0:65532 run/secrets/deimos/*; chmod 0440 run/secrets/deimos/*
        mount -o remount,ro run/secrets/deimos; mount -o remount,bind,ro "$0"
        """;
    OciImage image = image("deimos-page");
    Path root = image.root(OWN, directory.resolve("page-run"));
    List<String> run = new ArrayList<>(List.of("env", "-i"));
    Config configuration = image.configuration(OWN).getConfig("config");
    run.addAll(configuration.getStringList("Env"));
    run.add("DEIMOS_PAGE_SHARED_TOKEN_FILE=/run/secrets/deimos/token");
    run.add("DEIMOS_PAGE_TLS_CERTIFICATE=/run/secrets/deimos/tls.crt");
    run.add("DEIMOS_PAGE_TLS_KEY=/run/secrets/deimos/tls.key");
    run.addAll(List.of("/usr/sbin/chroot", "--userspec=" + USER, root.toString()));
    run.addAll(configuration.getStringList("Entrypoint"));
    run.addAll(configuration.getStringList("Cmd"));
    run.addAll(List.of("--port", "" + port, "--otlp-port", "0", "--grpc-port", "0"));
    String[] within = {
      "unshare",
      "--mount",
      "sh",
      "-ec",
      mounts + "exec " + String.join(" ", run),
      "" + root,
      "" + secrets
    };
    try (AgentJvm page = AgentJvm.on(Jdk.own()).within(within).start("image-page")) {
      page.awaitErr("that it serves", line -> line.startsWith("deimos: page at https://"));
      assertThat(Files.readString(Path.of("/proc/" + page.pid() + "/status")))
          .contains("Uid:\t65532\t65532\t65532\t65532", "Gid:\t65532\t65532\t65532\t65532");
      HttpClient client = HttpClient.newBuilder().sslContext(trusting(keys)).build();
      URI url = URI.create("https://127.0.0.1:" + port);
      HttpResponse<String> probe =
          client.send(
              HttpRequest.newBuilder(url.resolve("/api/v1/about")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(probe.statusCode()).as(probe.body()).isEqualTo(200);
      HttpResponse<String> state =
          client.send(
              HttpRequest.newBuilder(url.resolve("/api/state"))
                  .header("X-Deimos-Token", TOKEN)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(state.statusCode()).as(state.body()).isEqualTo(200);
      assertThat(page.complaints()).isEmpty();
    }
  }

  private static SSLContext trusting(TestKeys keys) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys.store());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
