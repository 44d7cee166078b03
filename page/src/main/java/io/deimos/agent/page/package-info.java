// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Puts the page together: where it listens or which page it joins, who may ask, the HTML resource,
 * {@code /metrics}, assistants, and the interface. Whatever goes wrong here stays here.
 */
@NullMarked
package io.deimos.agent.page;

import org.jspecify.annotations.NullMarked;
