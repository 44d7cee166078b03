// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import io.deimos.launch.Obstacles;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** {@code java -jar deimos.jar page}: serves a page that is no application's. */
final class PageCommand {
  static final String NAME = "page";
  static final String USAGE =
      "       java -jar deimos.jar page [options]    a page of its own, which outlives applications\n";
  static final String OPTIONS =
      "options of page:\n"
          + "  --port N         its port; 9797 if not given\n"
          + "  --listen ADDRESS where it listens; 127.0.0.1 if not given\n"
          + "  --otlp-port N    where it takes OTLP over HTTP beside its own port; 4318 if not"
          + " given,\n"
          + "                   0 for nowhere else\n"
          + "  --grpc-port N    likewise for OTLP over gRPC; 4317 if not given\n";

  private static final String PROCESS = "io.deimos.agent.alone.PageProcess";
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final PrintStream err;

  PageCommand(PrintStream err) {
    this.err = err;
  }

  /** Serves until the process ends; returns the exit code if that cannot be. */
  int run(String... arguments) {
    Deque<String> given = new ArrayDeque<>(Arrays.asList(arguments));
    given.removeFirst();
    String port = "";
    String listen = "127.0.0.1";
    String otlpPort = "4318";
    String grpcPort = "4317";
    while (!given.isEmpty()) {
      String option = given.removeFirst();
      String value = given.pollFirst();
      if (value == null) {
        return misused(option + " needs a value, or is no option of page");
      }
      switch (option) {
        case "--port":
          port = value;
          break;
        case "--listen":
          listen = value;
          break;
        case "--otlp-port":
          otlpPort = value;
          break;
        case "--grpc-port":
          grpcPort = value;
          break;
        default:
          return misused(option + " is no option of page");
      }
    }
    if (!(port.isEmpty() || isPort(port)) || !isPort(otlpPort) || !isPort(grpcPort)) {
      return misused("--port, --otlp-port and --grpc-port are whole numbers in [0, 65535]");
    }
    if (Obstacles.isTooOld(System.getProperty("java.specification.version", ""))) {
      err.println("deimos: the page needs Java 17 or later");
      return FAILED;
    }
    return serve(port, listen, otlpPort, grpcPort);
  }

  private static boolean isPort(String text) {
    return text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= 65_535;
  }

  private int serve(String... arguments) {
    try {
      Class<?> process = new InnerClasses(getClass().getClassLoader()).loadClass(PROCESS);
      Object code = process.getMethod("run", String[].class).invoke(null, (Object) arguments);
      return code instanceof Integer ? (Integer) code : FAILED;
    } catch (InvocationTargetException e) {
      err.println("deimos: the page failed: " + e.getCause());
      return FAILED;
    } catch (ReflectiveOperationException | LinkageError e) {
      err.println("deimos: this jar contains no page (" + e + "); take deimos.jar");
      return FAILED;
    }
  }

  private int misused(String what) {
    err.println("deimos: " + what);
    err.println(Commands.USAGE);
    return MISUSED;
  }
}
