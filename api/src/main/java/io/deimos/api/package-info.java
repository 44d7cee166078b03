// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Lets an application tell Deimos in its code : marks on classes, a filter, settings of single
 * actors; and what it may ask for in an actor. A library like any other; without the agent it does
 * nothing. It uses the Pekko and the OpenTelemetry that the application has.
 */
@NullMarked
package io.deimos.api;

import org.jspecify.annotations.NullMarked;
