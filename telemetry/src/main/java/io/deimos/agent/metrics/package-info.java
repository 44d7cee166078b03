// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The recorder's counts and durations as instruments and metrics of OpenTelemetry. Nothing here
 * runs but when somebody collects.
 */
@NullMarked
package io.deimos.agent.metrics;

import org.jspecify.annotations.NullMarked;
