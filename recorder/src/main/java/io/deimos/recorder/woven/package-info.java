// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Interfaces of the fields that the weaver adds to classes of Pekko.
 *
 * <p><b>Words.</b> A field's accessors begin with {@code deimos$}.
 *
 * <p><b>Threads.</b> The fields are plain. The mailbox or queue that hands the object on orders
 * them.
 */
@NullMarked
package io.deimos.recorder.woven;

import org.jspecify.annotations.NullMarked;
