// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The file that {@code otel.config.file} names: OpenTelemetry's configuration, with a section of
 * ours, {@code distribution: deimos:}. Read once, before the SDK reads it, and within bounds.
 */
public final class ConfigurationFile {
  /** The setting of OpenTelemetry's that names the file. */
  public static final String KEY = "otel.config.file";

  /** The longest file that is read. */
  static final int MAX_BYTES = 1 << 20;

  private static final String VARIABLE = "OTEL_CONFIG_FILE";
  private static final String OURS = "deimos";
  private static final String SECTION = "distribution: deimos:";
  private static final String TRANSPORT = "remote";

  private final String path;
  private final byte[] content;
  private final ConfigObject root;
  private final Layer layer;
  private final Map<String, String> transport;
  private final @Nullable String refusal;

  private ConfigurationFile(String path, byte[] content, ConfigObject root, Layer layer) {
    this.path = path;
    this.content = content;
    this.root = root;
    this.layer = layer;
    this.transport = transport(root);
    this.refusal = null;
  }

  private ConfigurationFile(String path, String refusal) {
    this.path = path;
    this.content = new byte[0];
    this.root = YamlReader.empty();
    this.layer = Layer.empty();
    this.transport = Map.of();
    this.refusal = refusal;
  }

  /** No file. */
  public static ConfigurationFile none() {
    return new ConfigurationFile("", new byte[0], YamlReader.empty(), Layer.empty());
  }

  /**
   * The file that these name, or none.
   *
   * @param problems told of a section that is not where it is read
   */
  public static ConfigurationFile of(
      Map<String, String> properties, Map<String, String> environment, Consumer<String> problems) {
    String path = properties.getOrDefault(KEY, environment.getOrDefault(VARIABLE, ""));
    if (path.isEmpty()) {
      return none();
    }
    try {
      byte[] content = read(Path.of(path));
      ConfigObject root =
          new YamlReader(path, environment::get, properties::get)
              .read(new String(content, StandardCharsets.UTF_8));
      return new ConfigurationFile(path, content, root, section(root, path, problems));
    } catch (IOException | IllegalArgumentException e) {
      return new ConfigurationFile(path, e.getMessage() == null ? e.toString() : e.getMessage());
    } catch (LinkageError e) {
      return new ConfigurationFile(path, "this agent has no reader of YAML (" + e + ")");
    }
  }

  private static byte[] read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException("there is no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw new IOException("it is no regular file");
    }
    if (!Files.isReadable(file)) {
      throw new IOException("this process may not read it");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException("it is longer than " + MAX_BYTES + " bytes");
      }
      return bytes;
    }
  }

  private static Layer section(ConfigObject root, String path, Consumer<String> problems) {
    tellMisplaced(root.get(OURS), path, problems);
    tellMisplaced(in(root, "instrumentation/development", "java", OURS), path, problems);
    ConfigValue ours = in(root, "distribution", OURS);
    if (ours == null || ours.valueType() == ConfigValueType.NULL) {
      return Layer.empty();
    }
    if (!(ours instanceof ConfigObject section)) {
      problems.accept(
          SECTION
              + " ("
              + Given.place(ours.origin(), path)
              + ") is no mapping of settings to values; write each setting on a line of its own"
              + " below it, such as page: {port: 0}. Until then the defaults hold");
      return Layer.empty();
    }
    return Layer.ofConfig(section.atKey(OURS), path);
  }

  private static void tellMisplaced(
      @Nullable ConfigValue section, String path, Consumer<String> problems) {
    if (section != null) {
      problems.accept(
          "the section deimos ("
              + Given.place(section.origin(), path)
              + ") is not where settings of Deimos are read; move it below distribution:");
    }
  }

  private static @Nullable ConfigValue in(ConfigObject root, String... keys) {
    ConfigValue value = root;
    for (String key : keys) {
      value = value instanceof ConfigObject object ? object.get(key) : null;
    }
    return value;
  }

  private static Map<String, String> transport(ConfigObject root) {
    Map<String, String> found = new LinkedHashMap<>();
    flatten(in(root, "distribution", OURS, TRANSPORT), "deimos." + TRANSPORT, found);
    return found;
  }

  private static void flatten(@Nullable ConfigValue value, String name, Map<String, String> into) {
    if (value instanceof ConfigObject object) {
      object.forEach((key, below) -> flatten(below, name + "." + key.replace('_', '-'), into));
    } else if (value != null && value.unwrapped() != null) {
      into.put(name, String.valueOf(value.unwrapped()));
    }
  }

  /** Whether a file is named at all. */
  public boolean isNamed() {
    return !path.isEmpty();
  }

  /** As it was named. */
  public String path() {
    return path;
  }

  /** Why it cannot be read, where it cannot. */
  public @Nullable String refusal() {
    return refusal;
  }

  /** Its settings. */
  public Layer layer() {
    return layer;
  }

  /** Its settings of the transport, which reads system properties, by their names. */
  public Map<String, String> transport() {
    return transport;
  }

  /** All of it; each value knows its line. */
  public ConfigObject root() {
    return root;
  }

  /** As it was read. */
  public byte[] content() {
    return content.clone();
  }

  /** Where a value stands: file and line. */
  public String place(ConfigValue value) {
    return Given.place(value.origin(), path);
  }
}
