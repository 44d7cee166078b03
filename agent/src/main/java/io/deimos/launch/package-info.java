// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Where the JVM enters: what must run on any JVM and before anything else, to say clearly why the
 * rest cannot; and the commands of {@code java -jar deimos.jar}. Loaded by the system class loader,
 * but for {@code LeanBoot}; Java 8 bytecode, {@code java.base} and {@code java.instrument} only.
 */
@NullMarked
package io.deimos.launch;

import org.jspecify.annotations.NullMarked;
