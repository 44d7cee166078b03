// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The rules about clusters, which judge by what several processes on one page say. The page finds
 * the {@link io.deimos.agent.rules.cluster.Clash}es.
 */
@NullMarked
package io.deimos.agent.rules.cluster;

import org.jspecify.annotations.NullMarked;
