// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** Metrics over OTLP and in Prometheus. */
@NullMarked
package io.deimos.it.metrics;

import org.jspecify.annotations.NullMarked;
