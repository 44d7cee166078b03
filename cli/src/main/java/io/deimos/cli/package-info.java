// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The commands of {@code java -jar deimos.jar}: they ask a page over its interface and print lines.
 * Loaded by {@code io.deimos.launch.Main}, with picocli and jackson-core, from where no application
 * finds them.
 */
@NullMarked
package io.deimos.cli;

import org.jspecify.annotations.NullMarked;
