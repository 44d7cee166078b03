// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * An application with the defects that {@code check} finds, one for each rule, and beside each what
 * looks like it and is healthy. All that is defective has {@code Sick} in the name of its class, or
 * {@code sick} in its path or dispatcher, unless its scenario has another sign; nothing else may be
 * found.
 */
package checks;
