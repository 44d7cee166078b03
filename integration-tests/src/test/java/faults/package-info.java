// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Makes the agent fail, or its clock wrong: agents beside it that weave throws and pauses into its
 * classes, or another time. They are put into jars by the tests that use them, and are in nothing
 * that users get.
 */
package faults;
