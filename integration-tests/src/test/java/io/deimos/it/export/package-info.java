// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** The way of spans to a collector: sampling, failures on the way, the end of the JVM. */
@NullMarked
package io.deimos.it.export;

import org.jspecify.annotations.NullMarked;
