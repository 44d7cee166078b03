// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.remote;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Program;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A network of nodes that can be cut off: where it may, a namespace for each with a link to a
 * bridge, and cutting off takes the link down; elsewhere all share the loopback, and cutting off
 * stops the process, which looks the same to the others.
 */
final class Network implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final String name = "dm" + ProcessHandle.current().pid();
  private final boolean namespaces;
  private final int size;

  Network(int size) {
    this.size = size;
    boolean made = false;
    try {
      make();
      made = true;
    } catch (IllegalStateException | UncheckedIOException e) {
      close(); // not allowed here, or no such command
    }
    namespaces = made;
  }

  private void make() {
    run("ip", "link", "add", bridge(), "type", "bridge");
    run("ip", "link", "set", bridge(), "up");
    for (int i = 0; i < size; i++) {
      run("ip", "netns", "add", space(i));
      run(
          "ip",
          "link",
          "add",
          outside(i),
          "type",
          "veth",
          "peer",
          "name",
          "eth0",
          "netns",
          space(i));
      run("ip", "link", "set", outside(i), "master", bridge(), "up");
      run("ip", "-n", space(i), "addr", "add", address(i) + "/24", "dev", "eth0");
      run("ip", "-n", space(i), "link", "set", "eth0", "up");
      run("ip", "-n", space(i), "link", "set", "lo", "up");
    }
  }

  private String bridge() {
    return name + "b";
  }

  private String space(int node) {
    return name + "n" + node;
  }

  private String outside(int node) {
    return name + "v" + node;
  }

  private static String address(int node) {
    return "10.213.77." + (node + 1);
  }

  /** Starts a node's JVM in its place. */
  UnaryOperator<AgentJvm.Builder> place(int node) {
    return namespaces
        ? b ->
            b.within("ip", "netns", "exec", space(node))
                .property("pekko.remote.artery.canonical.hostname", address(node))
        : b -> b.property("pekko.remote.artery.canonical.hostname", LOOPBACK);
  }

  void cutOff(int node, AgentJvm jvm) {
    if (namespaces) {
      run("ip", "link", "set", outside(node), "down");
    } else {
      run("kill", "-STOP", Long.toString(jvm.pid()));
    }
  }

  void reconnect(int node, AgentJvm jvm) {
    if (namespaces) {
      run("ip", "link", "set", outside(node), "up");
    } else {
      run("kill", "-CONT", Long.toString(jvm.pid()));
    }
  }

  private static void run(String... command) {
    Program ended = Program.run(command);
    if (ended.code() != 0) {
      throw new IllegalStateException(List.of(command) + ": " + ended.said());
    }
  }

  @Override
  public void close() {
    List<String[]> commands = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      commands.add(new String[] {"ip", "netns", "del", space(i)});
    }
    commands.add(new String[] {"ip", "link", "del", bridge()});
    for (String[] command : commands) {
      try {
        run(command);
      } catch (IllegalStateException | UncheckedIOException e) {
        // it was not made
      }
    }
  }
}
