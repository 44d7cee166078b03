// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Decides which traces are exported after they have been seen: those in which something went wrong
 * or took long, whole, and a share of the others. It stands between the drainer and the exporter;
 * actors know nothing of it.
 */
@NullMarked
package io.deimos.agent.tail;

import org.jspecify.annotations.NullMarked;
