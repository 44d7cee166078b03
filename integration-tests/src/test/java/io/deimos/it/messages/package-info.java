// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** Messages in one JVM: the traces of each way to send, and the boundaries of a trace. */
@NullMarked
package io.deimos.it.messages;

import org.jspecify.annotations.NullMarked;
