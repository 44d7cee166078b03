// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;

/** {@code page}: serves a page that is no application's. */
final class OwnPage {
  private static final String PROCESS = "io.deimos.agent.standalone.PageProcess";
  private static final int MAX_PORT = 65_535;

  private OwnPage() {}

  /** Serves until the process ends. */
  static void run(Call call) throws IOException {
    String port =
        call.option("--port") == null ? "" : Integer.toString(call.number("--port", 0, MAX_PORT));
    String[] arguments = {
      port,
      call.value("--listen"),
      Integer.toString(call.number("--otlp-port", 0, MAX_PORT)),
      Integer.toString(call.number("--grpc-port", 0, MAX_PORT))
    };
    try {
      Object code =
          Class.forName(PROCESS).getMethod("run", String[].class).invoke(null, (Object) arguments);
      throw Failure.told(code instanceof Integer ended ? ended : Failure.FAILED);
    } catch (InvocationTargetException e) {
      throw Failure.of("the page failed: " + e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw Failure.of("this jar contains no page (" + e + "); take deimos.jar");
    }
  }
}
