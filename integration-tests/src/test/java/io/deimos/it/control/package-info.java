// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** Settings: where they come from, what they switch, and what is said of bad ones. */
@NullMarked
package io.deimos.it.control;

import org.jspecify.annotations.NullMarked;
