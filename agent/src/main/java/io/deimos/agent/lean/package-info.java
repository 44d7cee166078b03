// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Takes the OpenTelemetry agent's part in the one form of Deimos that comes without it, {@code
 * deimos-lean.jar}: the log of the SDK, and weaving by agent builders where it is needed at all;
 * and what is not there, if somebody asks for it.
 *
 * <p><b>Words.</b> <i>Late</i>: made when the first class that it is for is loaded, which in most
 * applications is never.
 */
@NullMarked
package io.deimos.agent.lean;

import org.jspecify.annotations.NullMarked;
