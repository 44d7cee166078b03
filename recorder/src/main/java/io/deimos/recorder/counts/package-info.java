// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.deimos.recorder.counts;

import org.jspecify.annotations.NullMarked;
