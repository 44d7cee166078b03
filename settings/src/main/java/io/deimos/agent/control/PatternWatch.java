// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import com.typesafe.config.Config;
import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.recorder.actors.Globs;
import io.deimos.recorder.actors.PathPattern;
import io.deimos.recorder.base.AgentThread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Notes which patterns of class names and paths have matched something, and reports those that have
 * not a minute after they came into force. Asked once for each class and thread, and for each actor
 * while there is a path that has matched none, so it costs messages nothing. Safe for any thread;
 * its own thread ends with the report.
 */
final class PatternWatch {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final List<Key<List<String>>> OF_MESSAGES =
      List.of(Keys.MESSAGES_NEVER, Keys.MESSAGES_ALWAYS, Keys.MESSAGES_ONLY, Keys.CONTENT_MESSAGES);
  private static final List<Key<List<String>>> OF_ACTORS =
      List.of(Keys.ACTOR_CLASSES_NEVER, Keys.ACTOR_CLASSES_ALWAYS);

  private final Map<String, List<String>> given;
  private final Set<Asked> unmatchedMessages = ConcurrentHashMap.newKeySet();
  private final Set<Asked> unmatchedActors = ConcurrentHashMap.newKeySet();
  private final Map<String, PathPattern> unmatchedPaths = new ConcurrentHashMap<>();
  private volatile boolean wasAsked;
  private volatile boolean isReplaced;

  PatternWatch(Settings settings) {
    given = patterns(settings);
    fill(unmatchedMessages, OF_MESSAGES, settings);
    fill(unmatchedActors, OF_ACTORS, settings);
    for (String pattern : settings.get(Keys.SAMPLING_MESSAGES).root().keySet()) {
      unmatchedMessages.add(new Asked(Keys.SAMPLING_MESSAGES.name(), pattern));
    }
    for (String path : settings.get(Keys.ACTORS).root().keySet()) {
      addPath(Keys.ACTORS.name() + ".\"" + path + '"', path);
    }
    for (String path : settings.get(Keys.GROUPS)) {
      addPath(Keys.GROUPS.name() + '=' + path, path);
    }
  }

  private void addPath(String named, String path) {
    try {
      unmatchedPaths.put(named, PathPattern.of(path, true));
    } catch (IllegalArgumentException e) {
      // The reader of the rules says so.
    }
  }

  private static void fill(Set<Asked> to, List<Key<List<String>>> keys, Settings settings) {
    for (Key<List<String>> key : keys) {
      settings.get(key).forEach(pattern -> to.add(new Asked(key.name(), pattern)));
    }
  }

  private static Map<String, List<String>> patterns(Settings settings) {
    Map<String, List<String>> patterns = new HashMap<>();
    OF_MESSAGES.forEach(key -> patterns.put(key.name(), settings.get(key)));
    OF_ACTORS.forEach(key -> patterns.put(key.name(), settings.get(key)));
    for (Key<Config> key : List.of(Keys.SAMPLING_MESSAGES, Keys.ACTORS)) {
      patterns.put(key.name(), settings.get(key).root().keySet().stream().sorted().toList());
    }
    patterns.put(Keys.GROUPS.name(), settings.get(Keys.GROUPS));
    return patterns;
  }

  /** Whether these settings have the patterns that are watched. */
  boolean isOf(Settings settings) {
    return given.equals(patterns(settings));
  }

  /** Others are in force from now on. */
  void replace() {
    isReplaced = true;
  }

  void message(String className) {
    matched(unmatchedMessages, className);
  }

  void actorClass(String className) {
    matched(unmatchedActors, className);
  }

  /** Whether there are paths that have matched no actor so far. */
  boolean wantsPaths() {
    return !unmatchedPaths.isEmpty();
  }

  void path(String path) {
    wasAsked = true;
    unmatchedPaths.values().removeIf(pattern -> pattern.matches(path));
  }

  private void matched(Set<Asked> unmatched, String className) {
    wasAsked = true;
    if (!unmatched.isEmpty()) {
      unmatched.removeIf(asked -> Globs.matches(asked.pattern, className, 0, className.length()));
    }
  }

  /** Reports in a minute, if there is anything to watch. */
  void start(Consumer<String> problems) {
    if (unmatchedMessages.isEmpty() && unmatchedActors.isEmpty() && unmatchedPaths.isEmpty()) {
      return;
    }
    AgentThread.start("deimos-patterns", () -> report(problems));
  }

  private void report(Consumer<String> problems) {
    long until = System.nanoTime() + PATIENCE_NANOS;
    for (long left = PATIENCE_NANOS; left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
    if (!isReplaced) {
      findings().forEach(problems);
    }
  }

  /** The words on patterns that have matched nothing, while there was something to match. */
  List<String> findings() {
    List<String> findings = new ArrayList<>();
    if (wasAsked) {
      unmatchedMessages.forEach(asked -> findings.add(asked.finding("a message")));
      unmatchedActors.forEach(asked -> findings.add(asked.finding("an actor")));
      unmatchedPaths.keySet().forEach(named -> findings.add(findingOfPath(named)));
    }
    findings.sort(null);
    return findings;
  }

  private static String findingOfPath(String named) {
    return named
        + " has matched no actor yet. Write paths from the guardian on (/user/orders/*), with * for"
        + " one name or any part of it and ** at the end for all below; if such actors come later,"
        + " all is well";
  }

  private record Asked(String key, String pattern) {
    String finding(String what) {
      return key
          + "="
          + pattern
          + " has matched no class of "
          + what
          + " yet. Write full names, with $ before the name of a nested class (shop.Cart$Add) and *"
          + " for any part; if such classes come later, all is well";
    }
  }
}
