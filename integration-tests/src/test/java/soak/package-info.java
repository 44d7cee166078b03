// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * A cluster that the soak test keeps under load while shards move and a node dies: carts and stock
 * are sharded, messages wait in stashes and buffers, and some would go on for ever. Its only
 * knowledge of tracing is an attribute that says which node sent a message.
 */
package soak;
