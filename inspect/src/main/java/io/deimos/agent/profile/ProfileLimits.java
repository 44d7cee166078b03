// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

/**
 * How much the flight recorder is to tell.
 *
 * @param waitNanos how long a wait has to be; 0 for none at all
 * @param waitsPerSecond beyond so many they have to be longer
 * @param allocationsPerSecond how many samples of allocation; 0 for none
 */
public record ProfileLimits(long waitNanos, int waitsPerSecond, int allocationsPerSecond) {}
