// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Members of a cluster: what is sharded, remembered and restarted, and what the page and metrics
 * say.
 */
@NullMarked
package io.deimos.it.cluster;

import org.jspecify.annotations.NullMarked;
