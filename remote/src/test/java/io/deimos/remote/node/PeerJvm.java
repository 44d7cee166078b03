// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.ActorRef;

/**
 * A JVM of its own with nodes in it, which do as they are told by lines on standard input, each
 * answered by one line:
 *
 * <pre>
 *   start NAME KIND      starts a node; KIND is ours or stock
 *   tell NAME PATH TEXT  sends a text to an actor elsewhere
 *   stop                 stops all of them
 * </pre>
 */
final class PeerJvm implements AutoCloseable {
  private static final String ANSWER = "@";

  private final Process process;
  private final PrintStream commands;
  private final BufferedReader answers;

  PeerJvm() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", classPath(), PeerJvm.class.getName()));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Surefire's own class path is a jar that names the real one. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Has it do something, and waits until it is done. */
  void does(String command) {
    commands.println(command);
    try {
      String line = answers.readLine();
      while (line != null && !line.startsWith(ANSWER)) {
        line = answers.readLine();
      }
      if (!(ANSWER + "done").equals(line)) {
        throw new AssertionError(command + ": " + line);
      }
    } catch (IOException e) {
      throw new AssertionError(command, e);
    }
  }

  @Override
  public void close() {
    commands.close(); // the end of its input is its own
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }

  public static void main(String[] arguments) throws IOException {
    Map<String, Node> nodes = new HashMap<>();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(ANSWER + obey(nodes, line.split(" ", 4)));
    }
    Runtime.getRuntime().halt(0);
  }

  private static String obey(Map<String, Node> nodes, String[] words) {
    try {
      switch (words[0]) {
        case "start" ->
            nodes.put(
                words[1], Node.start(words[1], words[2].equals("stock") ? Node.STOCK : Node.OURS));
        case "tell" ->
            nodes.get(words[1]).system.actorSelection(words[2]).tell(words[3], ActorRef.noSender());
        default -> {
          nodes.values().forEach(node -> node.system.terminate()); // all at once
          nodes.values().forEach(Node::close);
          nodes.clear();
        }
      }
      return "done";
    } catch (RuntimeException e) {
      return e.toString();
    }
  }
}
