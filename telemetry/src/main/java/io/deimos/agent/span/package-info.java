// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * How a record reads as a span of OpenTelemetry: its name, kind, status, attributes and events. The
 * one place where these names stand; the exporter and the page's store both use it.
 */
@NullMarked
package io.deimos.agent.span;

import org.jspecify.annotations.NullMarked;
