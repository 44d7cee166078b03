// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** The files in dist/ are those that Maven Central and users ask for. */
class ArtifactsTest {
  private static final Map<String, String> SUMS =
      Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512");
  private static final List<String> JARS =
      List.of(
          "deimos-agent",
          "deimos-lean",
          "deimos-extension",
          "deimos-api",
          "deimos-testkit",
          "deimos-remote");
  static final List<String> ARTIFACTS =
      Stream.concat(JARS.stream(), Stream.of("deimos-bom")).toList();

  @Test
  void repository_hasTheArtifactsAndNoOther() throws IOException {
    try (Stream<Path> poms = Files.walk(Made.repository())) {
      assertThat(poms.map(Path::toString).filter(name -> name.endsWith(".pom")))
          .containsExactlyInAnyOrderElementsOf(
              ARTIFACTS.stream().map(name -> Made.file(name, ".pom").toString()).toList());
    }
  }

  @ParameterizedTest
  @FieldSource("ARTIFACTS")
  void files_ofAnArtifact_areWholeSummedAndSigned(String artifact) throws Exception {
    List<String> ends =
        artifact.equals("deimos-bom")
            ? List.of(".pom")
            : List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json");
    for (String end : ends) {
      Path file = Made.file(artifact, end);
      assertThat(file).isNotEmptyFile();
      for (Map.Entry<String, String> sum : SUMS.entrySet()) {
        assertThat(Made.file(artifact, end + "." + sum.getKey()))
            .hasContent(digest(sum.getValue(), file));
      }
      verify(file, Made.file(artifact, end + ".asc"));
    }
    try (Stream<Path> all = Files.list(Made.file(artifact, ".pom").resolveSibling("."))) {
      assertThat(all).hasSize(ends.size() * (2 + SUMS.size()));
    }
  }

  @ParameterizedTest
  @FieldSource("ARTIFACTS")
  void pom_ofAnArtifact_standsAlone(String artifact) throws Exception {
    Path file = Made.file(artifact, ".pom");
    Element pom = parse(file).getDocumentElement();
    Map<String, String> texts = new TreeMap<>();
    for (String name :
        List.of("groupId", "artifactId", "version", "name", "description", "url", "licenses")) {
      texts.put(name, text(pom, name));
    }
    assertThat(texts).doesNotContainValue("");
    assertThat(texts)
        .containsEntry("groupId", Clone.property("group"))
        .containsEntry("artifactId", artifact)
        .containsEntry("version", Clone.VERSION);
    assertThat(text(pom, "licenses")).startsWith("Apache-2.0");
    assertThat(text(pom, "developers")).startsWith("the Deimos authors");
    assertThat(text(pom, "scm")).contains("scm:git:https://", "v" + Clone.VERSION);
    assertThat(file).content().doesNotContain("SNAPSHOT", "<parent>", "<classifier>", "${", "@");
    int others = pom.getElementsByTagName("dependency").getLength();
    assertThat(others).isEqualTo(artifact.equals("deimos-bom") ? JARS.size() : 0);
  }

  @Test
  void bom_namesAllJars() throws Exception {
    Document bom = parse(Made.file("deimos-bom", ".pom"));
    for (String jar : JARS) {
      assertThat(bom.getDocumentElement().getTextContent().replaceAll("\\s+", " "))
          .contains(Clone.property("group") + " " + jar + " " + Clone.VERSION);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "deimos-agent, deimos",
    "deimos-lean, deimos-lean",
    "deimos-extension, deimos-extension",
    "deimos-api,",
    "deimos-testkit,",
    "deimos-remote,"
  })
  void jar_ofAnArtifact_hasItsListAndLicence(String artifact, String download) throws Exception {
    Path jar = Made.file(artifact, ".jar");
    Path list = Made.file(artifact, "-cyclonedx.json");
    if (download != null) {
      assertThat(Made.dist().resolve(download + ".jar")).hasSameBinaryContentAs(jar);
      assertThat(Made.dist().resolve(download + ".cdx.json")).hasSameBinaryContentAs(list);
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      assertThat(text(file, "META-INF/sbom/deimos.cdx.json")).isEqualTo(Files.readString(list));
      for (String name : List.of("LICENSE", "NOTICE")) {
        assertThat(text(file, "META-INF/" + name))
            .isEqualTo(Files.readString(Clone.ROOT.resolve(name)));
      }
      assertThat(file.stream().map(ZipEntry::getName)).doesNotHaveDuplicates();
    }
    Config sbom = ConfigFactory.parseFile(list.toFile());
    assertThat(sbom.getString("bomFormat")).isEqualTo("CycloneDX");
    assertThat(sbom.getString("metadata.component.purl"))
        .isEqualTo(
            "pkg:maven/%s/%s@%s?type=jar"
                .formatted(Clone.property("group"), artifact, Clone.VERSION));
    assertThat(list).content().doesNotContain("SNAPSHOT");
  }

  /** The parts of the transport's engine have lost their names, and so has much of the agent. */
  @ParameterizedTest
  @CsvSource({
    "deimos-agent, io.netty/netty-buffer npm/preact com.fasterxml.jackson.core/jackson-core",
    "deimos-lean, io.netty/netty-buffer npm/preact com.fasterxml.jackson.core/jackson-core",
    "deimos-extension, io.netty/netty-buffer npm/preact com.typesafe/config",
    "deimos-remote, io.netty/netty-buffer io.netty/netty-transport-native-io_uring"
  })
  void list_ofAJar_namesWhatIsHiddenInIt(String artifact, String hidden) throws IOException {
    String list = Files.readString(Made.file(artifact, "-cyclonedx.json"));
    assertThat(hidden.split(" ")).allSatisfy(name -> assertThat(list).contains(name + "@"));
  }

  @ParameterizedTest
  @CsvSource({
    "deimos-agent, io/deimos/launch/DeimosAgent.java, README.md",
    "deimos-lean, io/deimos/recorder/package-info.java, README.md",
    "deimos-extension, dashboard/main.tsx, README.md",
    "deimos-api, io/deimos/api/Deimos.java, io/deimos/api/Deimos.html",
    "deimos-testkit, io/deimos/testkit/Telemetry.java, io/deimos/testkit/Telemetry.html",
    "deimos-remote, io/deimos/remote/RemoteStats.java, io/deimos/remote/RemoteStats.html"
  })
  void sourcesAndJavadoc_ofAnArtifact_areThere(String artifact, String source, String page)
      throws IOException {
    try (ZipFile sources = new ZipFile(Made.file(artifact, "-sources.jar").toFile());
        ZipFile javadoc = new ZipFile(Made.file(artifact, "-javadoc.jar").toFile())) {
      assertThat(sources.getEntry(source)).isNotNull();
      assertThat(javadoc.getEntry(page)).isNotNull();
    }
  }

  /** In the one archive that is uploaded. */
  @Test
  void archive_forMavenCentral_hasAllOfTheRepository() throws IOException {
    Path archive = Made.dist().resolve("maven-central-" + Clone.VERSION + ".zip");
    try (ZipFile zip = new ZipFile(archive.toFile());
        Stream<Path> files = Files.walk(Made.repository())) {
      assertThat(zip.stream().map(ZipEntry::getName))
          .containsExactlyInAnyOrderElementsOf(
              files
                  .filter(Files::isRegularFile)
                  .map(file -> Made.repository().relativize(file).toString())
                  .toList());
    }
  }

  @Test
  void downloads_areSummedAndTheirSumsSigned() throws Exception {
    Path sums = Made.dist().resolve("SHA256SUMS");
    Map<String, String> found =
        Files.readAllLines(sums).stream()
            .map(line -> line.split(" +"))
            .collect(Collectors.toMap(line -> line[1], line -> line[0]));
    assertThat(found)
        .containsKeys("deimos.jar", "deimos-lean.jar", "deimos-extension.jar", "LICENSE", "NOTICE")
        .containsKeys("deimos.cdx.json", "RELEASE-NOTES.md");
    for (Map.Entry<String, String> sum : found.entrySet()) {
      assertThat(sum.getValue())
          .as(sum.getKey())
          .isEqualTo(digest("SHA-256", Made.dist().resolve(sum.getKey())));
    }
    verify(sums, Made.dist().resolve("SHA256SUMS.asc"));
    assertThat(Made.dist().resolve("SHA512SUMS")).content().hasLineCount(found.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"deimos.jar", "deimos-lean.jar"})
  void version_whenAskedFor_isThatOfTheReleaseAndOfTheAgentInside(String jar) {
    assertThat(Program.run(Made.dist(), "java", "-jar", jar, "--version").succeeds())
        .isEqualTo(said() + "\n");
  }

  /** In the lines of a JVM's start. */
  @Test
  void start_withTheAgent_saysItsVersion() {
    Program started =
        Program.run(
            Made.dist(),
            Map.of("DEIMOS_PAGE_ENABLED", "false"),
            "java",
            "-javaagent:deimos.jar",
            "-version");
    started.succeeds();
    assertThat(started.err()).contains(said());
  }

  private static String said() {
    return "deimos %s (OpenTelemetry agent %s)".formatted(Clone.VERSION, Clone.property("otel"));
  }

  private static void verify(Path file, Path signature) {
    Program.run(
            Made.once().keys(),
            Map.of("GNUPGHOME", Made.once().keys().toString()),
            "gpg",
            "--batch",
            "--verify",
            signature.toString(),
            file.toString())
        .succeeds();
  }

  private static String digest(String algorithm, Path file)
      throws IOException, NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance(algorithm);
    byte[] sum = digest.digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(sum);
  }

  private static String text(JarFile jar, String name) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getJarEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Document parse(Path file)
      throws IOException, ParserConfigurationException, SAXException {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }

  /** The text of a child of the root; none is empty. */
  private static String text(Element parent, String name) {
    for (var child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child.getNodeName().equals(name)) {
        return child.getTextContent().strip();
      }
    }
    return "";
  }
}
