// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** The little JSON that the forks, the receiver and the results need. */
@NullMarked
package io.deimos.benchmarks.json;

import org.jspecify.annotations.NullMarked;
