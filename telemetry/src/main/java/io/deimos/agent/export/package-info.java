// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * How records leave: as finished spans handed to the SDK's own processors, at a pace they can take,
 * and to the page's store. Every span that does not arrive is counted.
 */
@NullMarked
package io.deimos.agent.export;

import org.jspecify.annotations.NullMarked;
