// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** The page of one process and of several, by its interface and in a browser. */
@NullMarked
package io.deimos.it.page;

import org.jspecify.annotations.NullMarked;
