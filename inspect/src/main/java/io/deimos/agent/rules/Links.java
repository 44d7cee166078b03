// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The places of the page that show evidence. */
final class Links {
  static final String SYSTEM = "#/system";

  private Links() {}

  static String actor(String path) {
    return "#/actor/" + path.replaceFirst("^(pekko|akka)://", "");
  }

  static String actors(String className) {
    return "#/actors?class=" + encoded(className);
  }

  static String trouble(String kind, String words) {
    return "#/trouble?kind=" + kind + (words.isEmpty() ? "" : "&q=" + encoded(words));
  }

  static String threads(String words) {
    return "#/threads?q=" + encoded(words);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
