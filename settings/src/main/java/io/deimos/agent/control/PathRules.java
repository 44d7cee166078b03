// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import io.deimos.agent.settings.Given;
import io.deimos.agent.settings.Keys;
import io.deimos.recorder.actors.ActorChoice;
import io.deimos.recorder.actors.PathPattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads {@code deimos.actors}, and the {@code deimos} of each {@code pekko.actor.deployment}. */
final class PathRules {
  private static final String DEPLOYMENT = "pekko.actor.deployment";

  private PathRules() {}

  static List<PathRule> ofActors(Config table, Consumer<String> problems) {
    List<PathRule> rules = new ArrayList<>();
    ChoiceReader reader = new ChoiceReader(problems);
    for (Map.Entry<String, ConfigValue> entry : table.root().entrySet()) {
      String where =
          Keys.ACTORS.name() + ".\"" + entry.getKey() + "\"" + Given.at(entry.getValue());
      ActorChoice choice = reader.read(table, entry, where);
      if (choice != null) {
        add(rules, entry.getKey(), choice, where, problems);
      }
    }
    return narrowestLast(rules);
  }

  /**
   * @param json the value of {@code pekko.actor.deployment}; paths in it lie below {@code /user}
   */
  static List<PathRule> ofDeployment(@Nullable String json, Consumer<String> problems) {
    List<PathRule> rules = new ArrayList<>();
    if (json == null || !json.contains("\"deimos\"")) {
      return rules;
    }
    ChoiceReader reader = new ChoiceReader(problems);
    Config all = ConfigFactory.parseString(json);
    for (String key : all.root().keySet()) {
      String ours = ChoiceReader.quoted(key) + ".deimos";
      if (all.hasPath(ours)) {
        String where = DEPLOYMENT + ".\"" + key + "\".deimos";
        add(rules, "/user" + key, reader.read(all.getConfig(ours), where), where, problems);
      }
    }
    return narrowestLast(rules);
  }

  private static void add(
      List<PathRule> to,
      String pattern,
      ActorChoice choice,
      String where,
      Consumer<String> problems) {
    try {
      to.add(new PathRule(PathPattern.of(pattern, choice.children()), choice, where));
    } catch (IllegalArgumentException e) {
      problems.accept(where + ": " + e.getMessage() + "; it is ignored");
    }
  }

  private static List<PathRule> narrowestLast(List<PathRule> rules) {
    rules.sort(Comparator.comparingInt(rule -> rule.pattern().weight()));
    return List.copyOf(rules);
  }
}
