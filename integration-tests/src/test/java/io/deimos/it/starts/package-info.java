// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** How the agent starts, what it weaves, other agents beside it, and its own failures. */
@NullMarked
package io.deimos.it.starts;

import org.jspecify.annotations.NullMarked;
