// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The page: one HTML resource and the JSON it asks for, served by an event loop and a few workers.
 * It reads what the recorder and the store have, and passes changes of settings on to control.
 * Whatever goes wrong here stays here.
 */
@NullMarked
package io.deimos.agent.page;

import org.jspecify.annotations.NullMarked;
