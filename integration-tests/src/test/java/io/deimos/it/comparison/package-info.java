// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** The same rows under Deimos and under the tools of others. */
@NullMarked
package io.deimos.it.comparison;

import org.jspecify.annotations.NullMarked;
