// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The list of names that a release promises: spans of ours have no attributes and no events under
 * our names that are not in it.
 */
public final class PromisedNames {
  private static final Path LIST = Path.of("../telemetry/src/test/resources/names.txt");
  private static final List<String> OURS = List.of("pekko.", "deimos.", "messaging.");

  /** By "span process", for instance. */
  private static final Map<String, Set<String>> ATTRIBUTES = read();

  private PromisedNames() {}

  public static void check(ReceivedSpan span) {
    String verb = span.name().substring(0, span.name().indexOf(' '));
    checkAttributes("span " + verb, span.attributes());
    for (ReceivedSpan.Event event : span.events()) {
      if (isOurs(event.name())) {
        assertThat(ATTRIBUTES).as("events of %s", span).containsKey("event " + event.name());
      }
      if (ATTRIBUTES.containsKey("event " + event.name())) {
        checkAttributes("event " + event.name(), event.attributes());
      }
    }
  }

  private static void checkAttributes(String of, Map<String, Object> attributes) {
    assertThat(ATTRIBUTES).as("names promised").containsKey(of);
    Set<String> ours = new TreeSet<>(attributes.keySet());
    ours.removeIf(key -> !isOurs(key));
    assertThat(ATTRIBUTES.get(of)).as("attributes of %s", of).containsAll(ours);
  }

  private static boolean isOurs(String name) {
    return OURS.stream().anyMatch(name::startsWith);
  }

  private static Map<String, Set<String>> read() {
    try {
      Map<String, Set<String>> read = new HashMap<>();
      for (String line : Files.readAllLines(LIST)) {
        int at = line.indexOf(": ");
        String of = (at < 0 ? line : line.substring(0, at)).replaceFirst("( <\\w+>)?,.*", "");
        Set<String> keys = new TreeSet<>();
        if (at > 0) {
          keys.addAll(Arrays.asList(line.substring(at + 2).split(" ", -1)));
        }
        read.put(of, keys);
      }
      return read;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
