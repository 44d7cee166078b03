// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.woven.RefFields;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code where a projection starts, and where it hands envelopes to its handler. Safe
 * for any thread.
 *
 * <p>A projection tells what happens to it to one object, Pekko's {@code Telemetry}, of which the
 * user may have configured some. We put one in front of it; {@link Projection} is what that does.
 */
public final class ProjectionHooks {
  private static final Hook START = Hook.named("TelemetryProvider$.start");
  private static final Hook MADE = Hook.named("HandlerRecoveryImpl.<init>");
  private static final Hook HANDLE = Hook.named("HandlerRecoveryImpl.applyRecovery");

  private ProjectionHooks() {}

  /** A projection starts, for the first time or once more. */
  public static void starts() {
    START.fires();
  }

  /**
   * It has what it tells of itself to.
   *
   * @param telemetry the user's, or one that does nothing
   * @param type Pekko's interface of it
   * @return what it is to tell instead
   */
  public static Object started(
      Object telemetry, Class<?> type, String system, String name, String key) {
    try {
      RecentEvents.remember();
      Projection projection = new Projection(telemetry, system, name, key);
      Object ours =
          Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, projection);
      projection.runs();
      return ours;
    } catch (Throwable t) {
      Faults.caught(t);
      return telemetry;
    }
  }

  /**
   * The caller of a projection's handler has been made.
   *
   * @param telemetry what {@link #started} returned
   */
  public static void made(RefFields recovery, @Nullable Object telemetry) {
    MADE.fires();
    if (telemetry != null
        && Proxy.isProxyClass(telemetry.getClass())
        && Proxy.getInvocationHandler(telemetry) instanceof Projection projection) {
      recovery.deimos$identity(projection);
    }
  }

  /**
   * An envelope, or a group of them, goes to the handler.
   *
   * @param envelope the first
   * @return to be given to {@link #handled}; null if nothing is recorded of it
   */
  public static @Nullable Object handles(RefFields recovery, @Nullable Object envelope) {
    HANDLE.fires();
    return envelope != null && recovery.deimos$identity() instanceof Projection projection
        ? projection.handles(envelope)
        : null;
  }

  /**
   * The handler has it, and may be at work on another thread.
   *
   * @param handling what {@link #handles} returned
   * @param callback Scala's interface of a function
   * @return such a function, to be called with the outcome
   */
  public static Object handled(Object handling, Class<?> callback) {
    Handling known = (Handling) handling;
    known.isLeft();
    return Proxy.newProxyInstance(callback.getClassLoader(), new Class<?>[] {callback}, known);
  }

  /** The handler threw in place of failing later. */
  public static void threw(Object handling, Throwable error) {
    Handling known = (Handling) handling;
    known.isLeft();
    known.ends(error);
  }

  /** The projections that run. */
  public static void read(Readings into) {
    Projection.read(into);
  }
}
