// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.context;

import org.jspecify.annotations.Nullable;

/** The field woven into the threads of Pekko's own pools: their state, without a look-up. */
@SuppressWarnings("MemberName")
public interface ThreadFields {
  /** Null until the thread first has a state. */
  @Nullable ThreadState deimos$state();

  void deimos$state(@Nullable ThreadState state);
}
