// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The page on 127.0.0.1: one HTML resource and the JSON it asks for, served by the JDK's own HTTP
 * server. It reads what the recorder and the store have and changes nothing; whatever goes wrong
 * here stays here.
 */
@NullMarked
package io.deimos.agent.page;

import org.jspecify.annotations.NullMarked;
