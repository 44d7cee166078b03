// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** An OTLP receiver that counts spans and keeps none. */
@NullMarked
package io.deimos.benchmarks.export;

import org.jspecify.annotations.NullMarked;
