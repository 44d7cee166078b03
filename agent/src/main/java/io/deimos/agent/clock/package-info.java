// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** The processor's counter for the recorder's clock, where it can be had and trusted. */
@NullMarked
package io.deimos.agent.clock;

import org.jspecify.annotations.NullMarked;
