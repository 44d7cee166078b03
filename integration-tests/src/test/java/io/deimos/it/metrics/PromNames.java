// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names in a query of Prometheus, and what a metric is called there. */
final class PromNames {
  private static final Pattern METRIC = Pattern.compile("\\b(pekko|deimos)_[a-z_]+\\b");
  private static final Pattern GROUPED = Pattern.compile("\\b(by|without|on)\\s*\\(([^)]*)\\)");
  private static final Pattern SELECTED = Pattern.compile("\\{[^}]*}");
  private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"");
  private static final Pattern WORD = Pattern.compile("[a-z_]+");

  private PromNames() {}

  /** The names of a query of ours, which joins nothing. */
  static Set<String> metrics(String query) {
    String bare = QUOTED.matcher(query).replaceAll("");
    bare = SELECTED.matcher(bare).replaceAll("");
    bare = GROUPED.matcher(bare).replaceAll("");
    return found(METRIC, bare);
  }

  static Set<String> labels(String query) {
    String bare = QUOTED.matcher(query).replaceAll("");
    Stream<String> selected = SELECTED.matcher(bare).results().map(MatchResult::group);
    Stream<String> grouped = GROUPED.matcher(bare).results().map(found -> found.group(2));
    return found(WORD, Stream.concat(selected, grouped).collect(Collectors.joining(" ")));
  }

  private static Set<String> found(Pattern pattern, String in) {
    return pattern
        .matcher(in)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The names of a metric's series. */
  static Stream<String> of(String metric, String type, String unit) {
    String suffix =
        switch (unit) {
          case "s" -> "_seconds";
          case "By" -> "_bytes";
          default -> "";
        };
    String name = metric.replace('.', '_');
    name = name.endsWith(suffix) ? name : name + suffix;
    return switch (type) {
      case "counter" -> Stream.of(name + "_total");
      case "histogram" -> Stream.of(name + "_bucket", name + "_count", name + "_sum");
      default -> Stream.of(name);
    };
  }
}
