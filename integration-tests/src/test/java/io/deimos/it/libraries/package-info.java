// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** Applications on libraries and frameworks beside Pekko actors. */
@NullMarked
package io.deimos.it.libraries;

import org.jspecify.annotations.NullMarked;
