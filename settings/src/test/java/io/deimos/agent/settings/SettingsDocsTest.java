// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The documentation of the settings says what their declarations say. {@code -Ddocs.write=true}
 * writes it.
 */
class SettingsDocsTest {
  private static final boolean WRITE = Boolean.getBoolean("docs.write");
  private static final Path DOCS = Path.of("../docs/settings.md");
  private static final Path REFERENCE = Path.of("src/main/resources/deimos/reference.conf");
  private static final Path API_REFERENCE = Path.of("../api/src/main/resources/reference.conf");
  private static final Path REMOTE =
      Path.of("../remote/src/main/resources/io/deimos/remote/reference.conf");
  private static final String REMOTE_BEGIN =
      "<!-- remote settings: made of the transport's reference.conf -->\n";
  private static final String REMOTE_END = "<!-- end of remote settings -->\n";

  @Test
  void tables_inDocs_areThoseOfTheDeclarations() throws IOException {
    if (WRITE) {
      Files.writeString(DOCS, SettingsDocs.page(Files.readString(DOCS)));
    }
    String docs = Files.readString(DOCS);
    assertThat(docs).isEqualTo(SettingsDocs.page(docs));
    assertThat(Keys.all())
        .allSatisfy(key -> assertThat(docs).containsOnlyOnce("\n| `" + key.name() + "` | "));
  }

  @Test
  void remoteTable_inDocs_isThatOfTheTransport() throws IOException {
    String table = SettingsDocs.remoteTable(Files.readString(REMOTE));
    String docs = Files.readString(DOCS);
    int from = docs.indexOf(REMOTE_BEGIN) + REMOTE_BEGIN.length();
    int to = docs.indexOf(REMOTE_END);
    if (WRITE) {
      docs = docs.substring(0, from) + table + docs.substring(to);
      Files.writeString(DOCS, docs);
      to = docs.indexOf(REMOTE_END);
    }
    assertThat(docs.substring(from, to)).isEqualTo(table);
  }

  @Test
  void referenceConf_isThatOfTheDeclarations() throws IOException {
    if (WRITE) {
      Files.createDirectories(REFERENCE.getParent());
      Files.writeString(REFERENCE, SettingsDocs.reference());
    }
    assertThat(Files.readString(REFERENCE)).isEqualTo(SettingsDocs.reference());
  }

  @Test
  void apiReferenceConf_isThatOfTheDeclarations() throws IOException {
    if (WRITE) {
      Files.createDirectories(API_REFERENCE.getParent());
      Files.writeString(API_REFERENCE, SettingsDocs.apiReference());
    }
    assertThat(Files.readString(API_REFERENCE)).isEqualTo(SettingsDocs.apiReference());
  }

  /** The library on the class path gives nothing by that. */
  @Test
  void apiReferenceConf_inASystemsConfiguration_givesNothing() {
    Layer layer =
        Layer.ofConfig(
            ConfigFactory.parseString(SettingsDocs.apiReference()).resolve(), "a system");
    assertThat(layer.all()).hasSize(Keys.all().size());
    assertThat(layer.withoutDefaults().all()).isEmpty();
  }

  /** The reference can be pasted: */
  @Test
  void referenceConf_readAsHocon_isTheDefaults() {
    String uncommented = SettingsDocs.reference().replaceAll("(?m)^# (deimos\\.[\\w.-]+ = )", "$1");
    Config config = ConfigFactory.parseString(uncommented).resolve();
    java.util.List<String> problems = new java.util.ArrayList<>();
    Settings read =
        new SettingsReader(
                java.util.List.of(Layer.ofConfig(config, "reference.conf")), problems::add)
            .read();
    assertThat(problems).isEmpty();
    assertThat(read).isEqualTo(Settings.defaults());
    assertThat(Layer.ofConfig(config, "reference.conf").all()).hasSize(Keys.all().size());
  }
}
