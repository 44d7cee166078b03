// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Makes of the settings what the recorder asks: what is recorded of which actor and which message,
 * and puts it in force when settings change.
 */
@NullMarked
package io.deimos.agent.control;

import org.jspecify.annotations.NullMarked;
