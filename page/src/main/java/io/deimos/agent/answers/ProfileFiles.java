// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.profile.FlameTree;
import java.io.IOException;
import java.io.Writer;
import java.util.StringJoiner;

/** Writes a profile as other tools read it. */
final class ProfileFiles {
  private ProfileFiles() {}

  /** A line for each stack, the outermost frame first, and how many samples were there. */
  static void collapsed(FlameTree tree, Writer out) throws IOException {
    for (int node = 0; node < tree.size(); node++) {
      if (tree.self(node) > 0) {
        StringJoiner line = new StringJoiner(";");
        tree.stack(node).forEach(frame -> line.add(word(tree.frames().get(frame))));
        out.write(line + " " + tree.self(node) + "\n");
      }
    }
  }

  /** The characters that end a frame, or a line, end none. */
  private static String word(String frame) {
    return frame.replace(';', ':').replaceAll("\\s", "_");
  }

  /** The file of speedscope: all frames once, and each stack as numbers of frames. */
  static void speedscope(FlameTree tree, Json json) throws IOException {
    json.beginObject();
    json.name("$schema").value("https://www.speedscope.app/file-format-schema.json");
    json.name("exporter").value("deimos");
    json.name("name").value("messages");
    json.name("shared").beginObject().name("frames").beginArray();
    for (String frame : tree.frames()) {
      json.beginObject().name("name").value(frame).endObject();
    }
    json.endArray().endObject();
    json.name("profiles").beginArray().beginObject();
    json.name("type").value("sampled");
    json.name("name").value("samples");
    json.name("unit").value("none");
    json.name("startValue").value(0);
    json.name("endValue").value(tree.total(0));
    json.name("samples").beginArray();
    for (int node = 0; node < tree.size(); node++) {
      if (tree.self(node) > 0) {
        json.beginArray();
        for (int frame : tree.stack(node)) {
          json.value(frame);
        }
        json.endArray();
      }
    }
    json.endArray();
    json.name("weights").beginArray();
    for (int node = 0; node < tree.size(); node++) {
      if (tree.self(node) > 0) {
        json.value(tree.self(node));
      }
    }
    json.endArray().endObject().endArray().endObject();
  }
}
