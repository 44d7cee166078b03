// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** Programs that the build of the jars runs; in none of them. */
@NullMarked
package io.deimos.build;

import org.jspecify.annotations.NullMarked;
