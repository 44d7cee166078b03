// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Makes the agent fail: an agent beside it that weaves throws and pauses into its classes. It is
 * put into a jar by the tests that use it, and is in nothing that users get.
 */
package faults;
