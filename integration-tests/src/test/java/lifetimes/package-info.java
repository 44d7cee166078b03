// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Plain Pekko programs that make much and keep nothing, to be run with a small heap: what is kept
 * in spite of that is the agent's.
 */
package lifetimes;
