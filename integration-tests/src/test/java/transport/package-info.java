// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** A node of a cluster, of plain Pekko with nothing of Deimos in it, for tests of the transport. */
package transport;
