// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The settings under {@code deimos.remote}, read once for each actor system. */
@NullMarked
package io.deimos.remote.engine.settings;

import org.jspecify.annotations.NullMarked;
