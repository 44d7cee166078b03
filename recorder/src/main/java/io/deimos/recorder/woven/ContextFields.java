// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.woven;

import io.deimos.recorder.trace.Trace;
import org.jspecify.annotations.Nullable;

/**
 * The fields woven into what runs later on another thread (a future's callback): the context of the
 * thread that registered it.
 */
@SuppressWarnings("MemberName")
public interface ContextFields {
  @Nullable Trace deimos$trace();

  long deimos$parent();

  void deimos$context(@Nullable Trace trace, long parent);
}
