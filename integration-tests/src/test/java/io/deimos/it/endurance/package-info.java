// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** Long runs in their short forms: nothing grows, nothing is lost. */
@NullMarked
package io.deimos.it.endurance;

import org.jspecify.annotations.NullMarked;
