// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Where the JVM enters an agent: it runs on any JVM and before anything else, to say clearly why
 * the rest cannot. The system class loader loads it, {@code LeanBoot} excepted. Java 8 bytecode,
 * {@code java.base} and {@code java.instrument} only.
 */
@NullMarked
package io.deimos.launch;

import org.jspecify.annotations.NullMarked;
