// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Answers about this process. For each topic a <i>handler</i> has the route and reads the request,
 * and a class of JSON has the schema beside the code that writes it. Called by the threads that
 * make answers; all state is elsewhere.
 */
@NullMarked
package io.deimos.agent.answers;

import org.jspecify.annotations.NullMarked;
