// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The traces that are kept, so that spans which end later follow the others. The {@value #MOST}
 * that were heard of last; what is forgotten is decided anew.
 */
final class KeptTraces {
  static final int MOST = 16_384;

  private final Map<TraceId, TailReason> reasons =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TraceId, TailReason> eldest) {
          return size() > MOST;
        }
      };

  /** Why a trace is kept; null if it is not, as far as known. */
  @Nullable TailReason reason(TraceId trace) {
    return reasons.get(trace);
  }

  void keep(TraceId trace, TailReason reason) {
    reasons.put(trace, reason);
  }

  void clear() {
    reasons.clear();
  }
}
