// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.endurance;

import io.deimos.it.harness.ReceivedSpan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The part of a soak's spans that is needed to judge them, in little memory: which there are, who
 * says to be below whom, and when traces began and went on. Safe for any thread.
 */
final class SoakLedger {
  private final Set<String> ids = new HashSet<>();
  private final Map<String, Child> children = new HashMap<>();
  private final Map<String, long[]> traces = new HashMap<>();
  private final Map<String, Integer> spansOfNodes = new TreeMap<>();
  private final Map<String, Integer> spansOfNames = new HashMap<>();
  private int linked;

  /** A span that is below another, of which nothing has come yet. */
  record Child(String node, String name, String path, String sentBy, long startNanos) {}

  synchronized void add(List<ReceivedSpan> spans) {
    for (ReceivedSpan span : spans) {
      ids.add(span.spanId());
      String node = String.valueOf(span.resource().get("service.name"));
      spansOfNodes.merge(node, 1, Integer::sum);
      spansOfNames.merge(span.name(), 1, Integer::sum);
      linked += span.links().isEmpty() ? 0 : 1;
      long[] times = traces.get(span.traceId());
      if (times == null) {
        traces.put(span.traceId(), new long[] {span.startNanos(), span.startNanos()});
      } else {
        times[0] = Math.min(times[0], span.startNanos());
        times[1] = Math.max(times[1], span.startNanos());
      }
      if (!span.isRoot()) {
        children.put(
            span.spanId() + span.parentId(),
            new Child(
                node,
                span.name(),
                String.valueOf(span.path()),
                String.valueOf(span.text("sent.by")),
                span.startNanos()));
      }
    }
    children.keySet().removeIf(key -> ids.contains(key.substring(16)));
  }

  /** The spans whose parent has not come. */
  synchronized List<Child> orphans() {
    return new ArrayList<>(children.values());
  }

  synchronized Map<String, Integer> spansOfNodes() {
    return Map.copyOf(spansOfNodes);
  }

  synchronized int spans() {
    return ids.size();
  }

  synchronized int spansNamed(String name) {
    return spansOfNames.getOrDefault(name, 0);
  }

  synchronized int traces() {
    return traces.size();
  }

  /** Spans with a link: where a trace was cut, or a tick began. */
  synchronized int linked() {
    return linked;
  }

  /** The longest time from the first to the last send in one trace. */
  synchronized double oldestSeconds() {
    return traces.values().stream().mapToLong(t -> t[1] - t[0]).max().orElse(0) / 1e9;
  }
}
