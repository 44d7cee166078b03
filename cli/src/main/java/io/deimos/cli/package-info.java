// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The commands of {@code java -jar deimos.jar}: they ask a page over its interface and print
 * tables. Java 8 bytecode and {@code java.base} only, so that a JVM that is too old can say so.
 */
@NullMarked
package io.deimos.cli;

import org.jspecify.annotations.NullMarked;
