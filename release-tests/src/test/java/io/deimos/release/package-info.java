// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** Releases made in clones of this tree, what is in them, and projects that use them. */
@NullMarked
package io.deimos.release;

import org.jspecify.annotations.NullMarked;
