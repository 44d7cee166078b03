// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Figures and messages of single actors, from the records that the drainer passes anyhow and from
 * the look at mailboxes. The drainer writes, the page's threads read, and no thread of an actor
 * does either.
 */
@NullMarked
package io.deimos.agent.observer;

import org.jspecify.annotations.NullMarked;
