// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each JUnit test that has a parameter of type {@link Telemetry} a recording that begins
 * before its {@code BeforeEach} methods and ends after it. If the test fails, its traces are
 * reported.
 *
 * <pre>{@code
 * @ExtendWith(DeimosExtension.class)
 * class OrdersTest {
 *   @Test
 *   void place_isCharged(Telemetry telemetry) {
 *     orders.tell(new Place(1));
 *     telemetry.assertTrace("""
 *         process Place at /user/orders
 *           process Charge at /user/payments
 *         """);
 *   }
 * }
 * }</pre>
 */
public final class DeimosExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(DeimosExtension.class);

  /** Made by JUnit. */
  public DeimosExtension() {}

  @Override
  public void beforeEach(ExtensionContext context) {
    store(context).put(Telemetry.class, Telemetry.record());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Telemetry telemetry = store(context).remove(Telemetry.class, Telemetry.class);
    if (telemetry != null) {
      telemetry.close();
      if (context.getExecutionException().isPresent()) {
        context.publishReportEntry("traces", telemetry.shown());
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Telemetry.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Telemetry telemetry = store(context).get(Telemetry.class, Telemetry.class);
    if (telemetry == null) {
      throw new org.junit.jupiter.api.extension.ParameterResolutionException(
          "Telemetry is for parameters of test methods and of BeforeEach and AfterEach methods");
    }
    return telemetry;
  }

  private static ExtensionContext.Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }
}
