// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * An application of several nodes, run by the integration tests: plain Pekko, with nothing of
 * Deimos in it. Each row is one way by which messages cross nodes.
 */
package wire;
