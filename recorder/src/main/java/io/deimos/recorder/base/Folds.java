// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts everything that was not counted as itself because one of the recorder's bounds was
 * reached. Each bound is far beyond what an application is made of; that none is passed in silence
 * is what this is for. Safe for any thread.
 */
public final class Folds {
  private static final Distinct ACTOR_CLASSES = new Distinct();
  private static final Distinct EXCEPTIONS = new Distinct();
  private static final Distinct ASKS = new Distinct();
  private static final Distinct OPERATIONS = new Distinct();
  private static final Distinct SYSTEMS = new Distinct();
  private static final LongAdder UNRULED = new LongAdder();
  private static final LongAdder LATE = new LongAdder();

  private Folds() {}

  public static void actorClass(Object key) {
    ACTOR_CLASSES.add(key);
  }

  public static void exception(Object key) {
    EXCEPTIONS.add(key);
  }

  public static void ask(Object key) {
    ASKS.add(key);
  }

  public static void operation(Object key) {
    OPERATIONS.add(key);
  }

  public static void system(String name) {
    SYSTEMS.add(name);
  }

  public static void countUnruled() {
    UNRULED.increment();
  }

  public static void countLate() {
    LATE.increment();
  }

  /** About how many actor classes are counted as {@code other}. */
  public static int actorClasses() {
    return ACTOR_CLASSES.count();
  }

  /**
   * About how many actor classes, exceptions, operations, asks and systems are counted under {@code
   * other} since there was no room to tell them apart. Without those of which there are none.
   */
  public static Map<String, Integer> series() {
    Map<String, Integer> series = new TreeMap<>();
    put(series, "actor_classes", ACTOR_CLASSES.count());
    put(series, "exceptions", EXCEPTIONS.count());
    put(series, "operations", OPERATIONS.count());
    put(series, "ask_classes", ASKS.count());
    put(series, "systems", SYSTEMS.count());
    return series;
  }

  public static void put(Map<String, Integer> to, String of, int count) {
    if (count > 0) {
      to.put(of, count);
    }
  }

  /**
   * How often an actor was to have rules of its own, and has its class's, since too many sets of
   * rules were in use within the class.
   */
  public static long unruled() {
    return UNRULED.sum();
  }

  /** Messages with a span that are in no metric, since it was not known any more whose they are. */
  public static long late() {
    return LATE.sum();
  }
}
