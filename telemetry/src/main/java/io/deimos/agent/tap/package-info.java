// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** The agent's side of the test kit: spans and metrics told inside the JVM, in the JDK's types. */
@NullMarked
package io.deimos.agent.tap;

import org.jspecify.annotations.NullMarked;
