// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigOriginFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * YAML as values of HOCON, each of which knows its file and its line. Read as the OpenTelemetry SDK
 * reads its configuration file: the core schema of YAML 1.2, {@code ${VARIABLE}}, {@code
 * ${sys:property}} and {@code ${VARIABLE:-default}} in values, {@code $$} for one dollar. Every
 * scalar is a text, or null.
 *
 * <p>The repetition of an alias counts each time, so that a short file cannot stand for a large
 * one.
 */
final class YamlReader {
  private static final int MAX_DEPTH = 50;
  private static final int MAX_VALUES = 50_000;

  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\{(?:(env|sys):)?([a-zA-Z_][a-zA-Z0-9_.]*)(?::-([^\\n}]*))?}");

  private final String file;
  private final Function<String, @Nullable String> environment;
  private final Function<String, @Nullable String> properties;
  private final AtomicInteger values = new AtomicInteger();

  /**
   * @param file the name of the file, for origins
   */
  YamlReader(
      String file,
      Function<String, @Nullable String> environment,
      Function<String, @Nullable String> properties) {
    this.file = file;
    this.environment = environment;
    this.properties = properties;
  }

  /**
   * The one document of a text.
   *
   * @throws IllegalArgumentException if it is none, or beyond the bounds; the message says where
   */
  ConfigObject read(String text) {
    LoadSettings settings =
        LoadSettings.builder().setSchema(new CoreSchema()).setLabel(file).build();
    try {
      Optional<Node> root = new Compose(settings).composeString(text);
      if (root.isPresent() && root.get() instanceof MappingNode mapping) {
        return object(mapping, 1, 0);
      }
      throw new IllegalArgumentException(
          root.isEmpty() ? "it is empty" : "it is no mapping of keys to values");
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw new IllegalArgumentException("line " + line + ": " + e.getProblem(), e);
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    } catch (StackOverflowError e) {
      throw new IllegalArgumentException("it is nested too deeply", e);
    }
  }

  private ConfigObject object(MappingNode mapping, int line, int depth) {
    Map<String, ConfigValue> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Node key = tuple.getKeyNode();
      String name = key instanceof ScalarNode scalar ? scalar.getValue() : "?";
      entries.put(name, value(tuple.getValueNode(), line(key, line), depth + 1));
    }
    return ConfigValueFactory.fromMap(entries).withOrigin(origin(line));
  }

  private ConfigValue value(Node node, int line, int depth) {
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "line " + line + ": it is nested too deeply; " + MAX_DEPTH + " levels are read");
    }
    if (values.incrementAndGet() > MAX_VALUES) {
      throw new IllegalArgumentException(
          "line " + line + ": it has too many values; " + MAX_VALUES + " are read");
    }
    if (node instanceof MappingNode mapping) {
      return object(mapping, line, depth);
    }
    if (node instanceof SequenceNode sequence) {
      List<ConfigValue> items = new ArrayList<>();
      for (Node item : sequence.getValue()) {
        items.add(value(item, line(item, line), depth + 1));
      }
      return ConfigValueFactory.fromIterable(items).withOrigin(origin(line));
    }
    return ConfigValueFactory.fromAnyRef(text((ScalarNode) node)).withOrigin(origin(line));
  }

  private @Nullable String text(ScalarNode scalar) {
    if (scalar.getTag().equals(Tag.NULL)) {
      return null;
    }
    String replaced = replaced(scalar.getValue());
    boolean isPlain = scalar.getScalarStyle() == ScalarStyle.PLAIN;
    return isPlain && replaced.isBlank() ? null : replaced;
  }

  /** The text of a value once its references are resolved; what they name may not refer again. */
  private String replaced(String value) {
    StringBuilder all = new StringBuilder();
    int from = 0;
    while (true) {
      int escape = value.indexOf("$$", from);
      resolve(value.substring(from, escape < 0 ? value.length() : escape), all);
      if (escape < 0) {
        return all.toString();
      }
      all.append('$');
      from = escape + 2;
    }
  }

  private void resolve(String part, StringBuilder into) {
    Matcher reference = REFERENCE.matcher(part);
    int from = 0;
    while (reference.find()) {
      into.append(part, from, reference.start());
      String name = reference.group(2);
      String found =
          "sys".equals(reference.group(1)) ? properties.apply(name) : environment.apply(name);
      if (found == null) {
        found = reference.group(3);
      }
      into.append(found == null ? "" : found);
      from = reference.end();
    }
    into.append(part, from, part.length());
  }

  private static int line(Node node, int otherwise) {
    return node.getStartMark().map(Mark::getLine).map(line -> line + 1).orElse(otherwise);
  }

  private ConfigOrigin origin(int line) {
    return ConfigOriginFactory.newFile(file).withLineNumber(line);
  }

  /** Nothing at all. */
  static ConfigObject empty() {
    return ConfigFactory.empty().root();
  }
}
