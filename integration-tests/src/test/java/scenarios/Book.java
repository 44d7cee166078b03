// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.actor.ActorRef;

/**
 * Where actors write down what they do. There is one at a time in a JVM, so that actors whose
 * makers are serialized have it, too.
 */
final class Book implements Serializable {
  private static final long serialVersionUID = 1;

  private static volatile Book opened;

  private final transient Stage stage;
  private final transient Map<String, List<String>> lines = new ConcurrentHashMap<>();
  private final transient Map<String, List<String>> unordered = new ConcurrentHashMap<>();

  private Book(Stage stage) {
    this.stage = stage;
  }

  static Book open(Stage stage) {
    Book book = new Book(stage);
    opened = book;
    return book;
  }

  private Object readResolve() {
    return opened;
  }

  void write(ActorRef who, String line) {
    write(who.path().toStringWithoutAddress(), line);
  }

  void write(String who, String line) {
    lines.computeIfAbsent(who, k -> new CopyOnWriteArrayList<>()).add(line);
  }

  /** For what Pekko promises no order of; how often it is written counts all the same. */
  void writeUnordered(String who, String line) {
    unordered.computeIfAbsent(who, k -> new CopyOnWriteArrayList<>()).add(line);
  }

  void signal() {
    stage.signal();
  }

  void print() {
    unordered.forEach(
        (who, written) -> lines.put(who + " in any order", written.stream().sorted().toList()));
    new TreeMap<>(lines)
        .forEach(
            (who, written) -> {
              int number = 0;
              for (String line : written) {
                System.out.println("@history " + who + " " + number++ + " " + line);
              }
            });
  }
}
