// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The names by which telemetry is told: of attributes and of events. Nothing else may name one; a
 * test compares these, and the names of metrics and spans, with the list that a release has
 * promised.
 *
 * <p><b>Threads.</b> Any; all of it is constant.
 */
@NullMarked
package io.deimos.recorder.names;

import org.jspecify.annotations.NullMarked;
