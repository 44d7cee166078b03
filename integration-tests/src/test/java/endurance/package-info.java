// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * An application that does for an hour, in one JVM, what makes a careless agent grow: actors that
 * live for a moment, virtual threads, class loaders that come and go, spans of its own, streams,
 * messages to another node, and the sample shop beside. It measures itself, so that a run without
 * an agent is measured in the same way.
 */
package endurance;
