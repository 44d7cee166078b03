// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Serves HTTP, whatever it carries. One thread accepts, reads and writes; workers make the answers.
 * A <i>request</i> has come whole before it is answered, and an <i>answer</i> is made whole in
 * <i>pieces</i> of counted memory before it is sent. An answer may have <i>further</i> parts, or
 * make its connection a <i>wire</i>, which two threads use. It knows no route and no page.
 */
@NullMarked
package io.deimos.agent.http;

import org.jspecify.annotations.NullMarked;
