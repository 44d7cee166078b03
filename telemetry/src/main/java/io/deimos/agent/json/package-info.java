// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * JSON, written and read with Jackson's streams, which the OpenTelemetry agent carries. Nothing
 * here is loaded before the page answers, joins another, or takes OTLP.
 */
@NullMarked
package io.deimos.agent.json;

import org.jspecify.annotations.NullMarked;
