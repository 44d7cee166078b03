// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

/** As Scala's, which a future calls back with. */
public record Failure(Throwable exception) {}
