// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Series;
import java.util.Map;

/**
 * The losses of telemetry.
 *
 * @param ringFull spans dropped so far since a ring was full
 * @param noMemory spans dropped so far since there was no memory for a ring
 * @param folded about how many series are counted as {@code other} now, by family
 */
public record Telemetry(Series ringFull, Series noMemory, Map<String, Integer> folded) {}
