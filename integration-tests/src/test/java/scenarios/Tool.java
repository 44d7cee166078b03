// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * The tool whose contexts are compared, by the interface it gives to users: {@code otel} for
 * OpenTelemetry's, {@code kamon} for Kamon's; named by the system property {@code scenarios.tool}.
 * Without it there is none, and all of this does nothing.
 *
 * <p>The first message of a row is sent inside of a span, whose trace its handlers then should find
 * themselves in. A <em>token</em> names both, {@code row=trace}; the handler that has one says what
 * it finds: {@code @seen row=trace found}.
 */
public abstract class Tool {
  private static final Tool USED = named(System.getProperty("scenarios.tool", ""));

  private static volatile String token;

  private static Tool named(String name) {
    return switch (name) {
      case "" -> null;
      case "otel" -> new OpenTelemetry();
      case "kamon" -> new Kamon();
      default -> throw new IllegalArgumentException("scenarios.tool=" + name + ": otel or kamon");
    };
  }

  /** To be called before anything else is loaded. */
  public static void start() {
    if (USED != null) {
      System.out.println("@tool " + USED.getClass().getSimpleName());
    }
  }

  /** Runs a row inside of a span of its name, if there is a tool; rows are run one at a time. */
  public static void request(String row, Row body) throws Exception {
    if (USED == null) {
      body.run();
      return;
    }
    String outer = token;
    USED.in(
        row,
        () -> {
          token = row + "=" + USED.trace();
          System.out.println("@request " + token);
          body.run();
          return null;
        });
    token = outer == null ? token : outer;
  }

  /** The context of the messages of the row under way; null without a tool. */
  public static String token() {
    return token;
  }

  /** Called inside a handler: says in which trace that is. */
  public static void seen(String token) {
    if (USED != null && token != null) {
      String trace = USED.trace();
      System.out.println("@seen " + token + " " + (trace.isEmpty() ? "none" : trace));
    }
  }

  /** Something to run that may fail. */
  public interface Row {
    void run() throws Exception;
  }

  /** The id of the trace that is current on this thread; empty if there is none. */
  abstract String trace();

  abstract void in(String name, Callable<Void> body) throws Exception;

  private static final class OpenTelemetry extends Tool {
    @Override
    String trace() {
      var context = Span.current().getSpanContext();
      return context.isValid() ? context.getTraceId() : "";
    }

    @Override
    void in(String name, Callable<Void> body) throws Exception {
      Span span = GlobalOpenTelemetry.getTracer("rows").spanBuilder(name).setNoParent().startSpan();
      try (Scope ignored = span.makeCurrent()) {
        body.call();
      } finally {
        span.end();
      }
    }
  }

  /** By reflection, since nothing else here is compiled against Kamon. */
  private static final class Kamon extends Tool {
    private final Class<?> kamon;
    private final Method currentSpan;

    Kamon() {
      try {
        kamon = Class.forName("kamon.Kamon");
        kamon.getMethod("init").invoke(null);
        currentSpan = kamon.getMethod("currentSpan");
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("Kamon does not start", e);
      }
    }

    @Override
    String trace() {
      try {
        Object trace = get(currentSpan.invoke(null), "trace");
        return get(get(trace, "id"), "string").toString();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    private static Object get(Object of, String what) throws ReflectiveOperationException {
      Class<?> type = of.getClass();
      Method method = type.getMethod(what);
      method.setAccessible(true); // of a class that is not public, as the method is
      return Objects.requireNonNull(method.invoke(of), what);
    }

    @Override
    void in(String name, Callable<Void> body) throws Exception {
      Object builder = kamon.getMethod("spanBuilder", String.class).invoke(null, name);
      Object span = get(get(builder, "ignoreParentFromContext"), "start");
      Exception[] failed = new Exception[1];
      scala.Function0<Object> run =
          () -> {
            try {
              return body.call();
            } catch (Exception e) {
              failed[0] = e;
              return null;
            }
          };
      kamon
          .getMethod(
              "runWithSpan",
              Class.forName("kamon.trace.Span"),
              boolean.class,
              scala.Function0.class)
          .invoke(null, span, true, run);
      if (failed[0] != null) {
        throw failed[0];
      }
    }
  }
}
