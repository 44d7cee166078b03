// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Applications that the tests run in JVMs of their own: plain Pekko, with nothing in them that
 * knows it is observed.
 */
package scenarios;
