// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of Artery's settings in README.md: who reads each of them, as the classes themselves
 * say. {@code -Ddocs.write=true} writes it.
 */
class SettingsTableTest {
  private static final Path README = Path.of("README.md");
  private static final String HEAD = "| settings | honoured | where |\n|---|---|---|\n";
  private static final String ARTERY = "pekko.remote.artery.";
  private static final String ACCESSORS = "org.apache.pekko.remote.artery.ArterySettings";

  /** Only these parts of Pekko's own TCP run: the others are replaced. */
  private static final Pattern RUNNING =
      Pattern.compile(".*(<init>|runInbound(Control|Ordinary|Large)\\w+Stream).*");

  /** Accessors that are not named as their settings are. */
  private static final Map<String, String> NAMES =
      Map.of(
          "use-dispatcher", "Dispatcher",
          "use-control-stream-dispatcher", "ControlStreamMaterializerSettings",
          "materializer", "MaterializerSettings",
          "system-message-buffer-size", "SysMsgBufferSize",
          "log-received-messages", "LogReceive",
          "log-sent-messages", "LogSend");

  /** Settings that are read by name. */
  private static final Map<String, String> READ_BY_NAME =
      Map.of(
          "advanced.tcp-magic", "`ConnectionHeader`",
          "propagate-harmless-quarantine-events", "`InboundLanes`",
          "advanced.instruments", "Pekko's `RemoteInstruments`");

  /** Settings that mean something else than with stock Artery, or less. */
  private static final Map<String, String> LIMITS =
      Map.of(
          "advanced.buffer-pool-size", "in Pekko's own streams",
          "advanced.large-buffer-pool-size", "in Pekko's own streams",
          "advanced.inbound-lanes", "for messages with slow serialisers",
          "advanced.maximum-frame-size", "four times as long ones are taken from a peer",
          "advanced.maximum-large-frame-size", "four times as long ones are taken from a peer",
          "advanced.test-mode", "only layer A runs");

  /** Sections that others read as a whole; those of {@link UnusedSettings} nobody does. */
  private static final Map<String, String> SECTIONS =
      Map.of(
          "pekko.io.dns", "Pekko's `Dns`, which `Names` asks",
          "pekko.remote.artery.ssl", "the `SSLEngineProvider`, which `Tls` asks");

  @Test
  void table_inReadme_saysWhoReadsEachSetting() throws IOException {
    String before = Files.readString(README);
    int start = before.indexOf(HEAD);
    assertThat(start).isPositive();
    int end = before.indexOf("\n\n", start) + 1;
    String expected = before.substring(0, start) + HEAD + table() + before.substring(end);
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(README, expected);
    }
    assertThat(Files.readString(README)).as("-Ddocs.write=true writes it").isEqualTo(expected);
  }

  /** The settings by where they are read. */
  private static String table() {
    Map<String, Set<String>> readers = readers();
    Map<String, Set<String>> rows = new TreeMap<>();
    List<String> unused = new ArrayList<>(UnusedSettings.SECTIONS);
    SECTIONS.forEach((section, where) -> rows.put("yes | " + where, Set.of(section + ".*")));
    for (var entry : ConfigFactory.defaultReference().getConfig("pekko.remote.artery").entrySet()) {
      String key =
          entry.getKey().replaceFirst("^advanced.materializer\\..*", "advanced.materializer");
      if (isIn(ARTERY + key, SECTIONS.keySet()) || isIn(ARTERY + key, UnusedSettings.SECTIONS)) {
        continue;
      }
      String where =
          READ_BY_NAME.getOrDefault(
              key, String.join(", ", readers.getOrDefault(accessor(key), Set.of())));
      if (where.isEmpty()) {
        unused.add(ARTERY + key);
      } else {
        String how = LIMITS.getOrDefault(key, "yes") + " | " + where;
        rows.computeIfAbsent(how, r -> new TreeSet<>()).add(key);
      }
    }
    assertThat(unused).as("settings that nobody reads").isEqualTo(UnusedSettings.SECTIONS);
    StringBuilder text = new StringBuilder();
    rows.forEach((how, keys) -> text.append(row(keys, how)));
    unused.forEach(
        section -> text.append(row(Set.of(section + ".*"), "no | a line at the start names them")));
    return text.toString();
  }

  private static boolean isIn(String key, Iterable<String> sections) {
    for (String section : sections) {
      if (key.startsWith(section + ".")) {
        return true;
      }
    }
    return false;
  }

  private static String row(Set<String> keys, String how) {
    String all = keys.stream().map(key -> "`" + key + "`").collect(Collectors.joining(", "));
    return "| " + all + " | " + how + " |\n";
  }

  /** The method by which code reads a setting, after its class. */
  private static String accessor(String key) {
    List<String> path = List.of(key.split("\\."));
    String last = path.get(path.size() - 1);
    String owner = ACCESSORS + "$";
    for (String section : path.subList(0, path.size() - 1)) {
      owner =
          section.equals("compression")
              ? ACCESSORS + "$Compression$"
              : owner + camel(section) + "$";
    }
    String type =
        owner.matches(".*(Settings|Compression)\\$") ? owner.replaceFirst(".$", "") : owner;
    return type + "." + NAMES.getOrDefault(last, camel(last));
  }

  private static String camel(String words) {
    return Arrays.stream(words.split("-"))
        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
        .collect(Collectors.joining());
  }

  /** By accessor, the classes that call it here, or if there are none, those of Pekko. */
  private static Map<String, Set<String>> readers() {
    Map<String, Set<String>> ours = new HashMap<>();
    Map<String, Set<String>> pekkos = new HashMap<>();
    for (JavaClass type :
        new ClassFileImporter()
            .importPackages("io.deimos.remote.engine", "org.apache.pekko.remote")) {
      boolean isOurs = type.getName().startsWith("io.deimos.");
      String name = type.getName().replaceFirst(".*\\.", "").replaceFirst("\\$.*", "");
      for (JavaCall<?> call : type.getMethodCallsFromSelf()) {
        if (call.getTargetOwner().getName().startsWith(ACCESSORS)
            && !name.equals("ArterySettings")
            && (isOurs || runs(type, name, call))) {
          (isOurs ? ours : pekkos)
              .computeIfAbsent(
                  call.getTargetOwner().getName() + "." + call.getName(), a -> new TreeSet<>())
              .add(isOurs ? "`" + name + "`" : "Pekko's `" + name + "`");
        }
      }
    }
    pekkos.putAll(ours);
    return pekkos;
  }

  private static boolean runs(JavaClass type, String name, JavaCall<?> call) {
    return !type.getPackageName().contains(".aeron")
        && (!name.equals("ArteryTcpTransport")
            || RUNNING.matcher(call.getOrigin().getName()).matches());
  }
}
