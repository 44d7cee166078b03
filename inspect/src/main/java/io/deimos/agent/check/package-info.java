// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Says in sentences what is wrong with this process. {@link io.deimos.agent.check.Source}s look at
 * it: every two seconds they note a few numbers in {@link io.deimos.agent.check.Past}, and when
 * somebody asks they give facts. Facts are the {@link io.deimos.agent.check.Evidence} by which
 * {@link io.deimos.agent.check.Rule}s judge. The thread of the page's history notes, a request's
 * thread judges, and no thread of an actor does either.
 */
@NullMarked
package io.deimos.agent.check;

import org.jspecify.annotations.NullMarked;
