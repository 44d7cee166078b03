// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** Actors with a journal, and projections of what is in it. */
@NullMarked
package io.deimos.it.persistence;

import org.jspecify.annotations.NullMarked;
