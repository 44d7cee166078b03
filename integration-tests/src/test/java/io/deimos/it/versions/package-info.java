// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** One application with other versions of Pekko, and with Akka. */
@NullMarked
package io.deimos.it.versions;

import org.jspecify.annotations.NullMarked;
