// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** The bounds of requests in this process: time of its processors, memory, and texts to search. */
@NullMarked
package io.deimos.agent.budget;

import org.jspecify.annotations.NullMarked;
