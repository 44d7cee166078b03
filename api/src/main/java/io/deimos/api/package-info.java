// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What an application may tell Deimos in its code: marks on classes, a filter, settings of single
 * actors; and what it may ask for in an actor. A library like any other; without the agent it does
 * nothing. Of Pekko and of OpenTelemetry it uses what the application has.
 */
@NullMarked
package io.deimos.api;

import org.jspecify.annotations.NullMarked;
