// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The agent's word about itself: on the page, in the start-up line, and in the summary that {@code
 * deimos.report.file} names.
 *
 * <p>Reads what others count, and changes nothing. The page's threads and the report's read here.
 */
@NullMarked
package io.deimos.agent.report;

import org.jspecify.annotations.NullMarked;
