// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.api;

/** As an interface what {@link NeverMeasured} is as an annotation. */
public interface Unmeasured {}
