// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import scenarios.Tool;

/**
 * A JVM with an actor system per transport, which does what the lines on standard input say:
 *
 * <pre>
 *   open SYSTEM               answered by @opened SYSTEM ADDRESS
 *   join SYSTEM ADDRESS N     joins a cluster and waits until it has N members: @joined SYSTEM
 *   run SYSTEM ROW ADDRESS    runs a row against the node at the address: @done SYSTEM ROW
 *   dead SYSTEM               what of the rows' messages was a dead letter so far: @dead SYSTEM […]
 *   close SYSTEM              ends a system that no row needs any more: @closed SYSTEM
 *   end                       ends the JVM
 * </pre>
 */
public final class Node {
  private final Map<String, WireSystem> systems = new LinkedHashMap<>();

  private Node() {}

  public static void main(String[] args) throws IOException {
    Tool.start();
    Node node = new Node();
    System.out.println("@ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine()) {
      String[] words = line.split(" ", -1);
      try {
        node.told(words);
      } catch (Throwable t) {
        t.printStackTrace();
        System.out.println("@failed " + String.join(" ", words) + " " + t);
      }
    }
    WireSystem.close(node.systems.values());
    System.out.println("@ending");
    System.exit(0);
  }

  private void told(String[] words) throws Exception {
    switch (words[0]) {
      case "open" -> {
        WireSystem opened = WireSystem.open(words[1]);
        systems.put(words[1], opened);
        System.out.println("@opened " + words[1] + " " + opened.address());
      }
      case "join" -> {
        system(words[1]).join(words[2], Integer.parseInt(words[3]));
        System.out.println("@joined " + words[1]);
      }
      case "run" -> {
        Stage stage = new Stage(system(words[1]), words[2], words[3]);
        Tool.request(words[2], () -> Rows.named(words[2]).run(stage));
        System.out.println("@done " + words[1] + " " + words[2]);
      }
      case "dead" -> System.out.println("@dead " + words[1] + " " + system(words[1]).deadLetters());
      case "close" -> {
        WireSystem done = system(words[1]);
        systems.remove(words[1]);
        WireSystem.close(List.of(done));
        System.out.println("@closed " + words[1]);
      }
      default -> throw new IllegalArgumentException("what is " + words[0] + "?");
    }
  }

  private WireSystem system(String name) {
    WireSystem found = systems.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no system " + name + "; there are " + systems.keySet());
    }
    return found;
  }
}
