// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Assertions on the traces and metrics of an application that runs with the agent, in the test's
 * own JVM: {@link io.deimos.testkit.Telemetry}, and an extension for JUnit, {@link
 * io.deimos.testkit.DeimosExtension}. Needs the agent with {@code deimos.testkit.enabled=true}.
 */
@NullMarked
package io.deimos.testkit;

import org.jspecify.annotations.NullMarked;
