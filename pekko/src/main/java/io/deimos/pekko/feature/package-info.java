// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The features to weave: one class for each part of Pekko, in which all that is to say of a feature
 * stands together: when it is used, what has to be switched on, which classes get fields, and each
 * hook. Verified against Pekko 1.7.0 for Scala 2.13, whose jars are inlined by scalac: what stands
 * here is called there, not merely present. Other versions have some hooks in another form, which
 * stands behind the first; {@code VersionsTest} runs them all.
 */
@NullMarked
package io.deimos.pekko.feature;

import org.jspecify.annotations.NullMarked;
