// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import java.util.List;

/**
 * Classes that Pekko's serialization hands to Java's.
 *
 * @param messageClasses in order
 * @param sent how many messages of all classes went to other nodes so far
 */
public record JavaSerialized(List<String> messageClasses, long sent) {}
