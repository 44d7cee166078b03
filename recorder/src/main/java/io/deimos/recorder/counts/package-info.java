// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The material of metrics.
 *
 * <p><b>Words.</b> <i>Cell</i>: the counts of one actor class and message class on one thread.
 * <i>Series</i>: a metric with one set of attribute values. <i>Heavy hitter</i>: a series that is
 * used enough to be reported by itself. <i>Tally</i>: counts of what happens seldom.
 * <i>Reading</i>: what gauges showed when they were read last.
 *
 * <p><b>Threads.</b> A cell is written by its own thread, or by the drainer on that thread's
 * behalf, and folded by the thread that collects. Tallies are for any thread. Readings are filled
 * by the gauges' thread and then only read.
 */
@NullMarked
package io.deimos.recorder.counts;

import org.jspecify.annotations.NullMarked;
