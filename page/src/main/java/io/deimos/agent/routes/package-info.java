// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The interface as it is declared: <i>routes</i> with <i>parameters</i> and the <i>schema</i> of
 * the answer. Requests are read by these declarations, and the document, the tools of assistants
 * and the checks of the tests are made from them. <i>Endpoints</i> have a route and what answers
 * it; searches share a budget.
 */
@NullMarked
package io.deimos.agent.routes;

import org.jspecify.annotations.NullMarked;
