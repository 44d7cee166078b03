// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.budget.Scan;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.opentelemetry.api.common.AttributeType;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the spans of chosen traces say, and those of the others of the same name: attributes
 * with text, whole numbers or flags, names, events, processes. A value counts once in each trace.
 * {@link ShareDifference} ranks what differs. Not for use by two threads.
 *
 * <p><b>Bounds.</b> {@value #MAX_FIELDS} fields, {@value #MAX_VALUES_OF_FIELD} values of each and
 * {@value #MAX_VALUES} in all, those that come first; of a text the first {@value #MAX_CHARS}
 * characters. So what is counted takes a few megabytes at most. Its time is the scan's.
 */
final class TraceComparer {
  static final int MAX_VALUES_OF_FIELD = 1024;

  private static final int MAX_FIELDS = 256;
  private static final int MAX_VALUES = 8192;
  private static final int MAX_CHARS = 200;
  private static final int MAX_ALSO = 8;

  /** To count a value takes about as long as to look at so many characters. */
  private static final int CHARACTERS_OF_A_VALUE = 32;

  private static final String NAME = "name";
  private static final String EVENT = "event";
  private static final String NODE = "node";
  private static final Set<String> OF_EACH_MESSAGE =
      Stream.of(EventName.WAITING, EventName.STASHED, EventName.MESSAGE)
          .map(EventName::id)
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> OURS =
      Stream.of(Attribute.values()).map(Attribute::key).collect(Collectors.toUnmodifiableSet());

  private final Scan scan;
  private final Map<String, Map<Object, Counts>> fields = new HashMap<>();
  private final Set<String> cut = new TreeSet<>();
  private int values;
  private int selected;
  private int rest;
  private @Nullable KeptTrace trace;
  private boolean isSelected;

  /** The traces that have one value. */
  private static final class Counts {
    int selected;
    int rest;
    @Nullable KeptTrace last;
    @Nullable KeptTrace ofSelected;
    @Nullable KeptTrace ofRest;

    /** The same for values of the very same traces, and for no others. */
    long traces;

    void add(KeptTrace trace, boolean isSelected) {
      if (last == trace) {
        return;
      }
      last = trace;
      traces += trace.spread();
      if (isSelected) {
        selected++;
        ofSelected = trace;
      } else {
        rest++;
        ofRest = trace;
      }
    }
  }

  private record Counted(TraceComparison.Value value, Counts counts, double certain) {}

  private TraceComparer(Scan scan) {
    this.scan = scan;
  }

  /**
   * Compares the traces that are chosen with the others of the name that most of them have.
   *
   * @param limit how many differences at most
   * @param scan told of what was not looked at, if it has ended before
   */
  static TraceComparison compare(
      List<KeptTrace> traces, Predicate<KeptTrace> isChosen, int limit, Scan scan) {
    Set<KeptTrace> chosen = Collections.newSetFromMap(new IdentityHashMap<>());
    Map<String, Integer> names = new HashMap<>();
    for (KeptTrace trace : traces) {
      if (scan.isCut()) {
        break;
      }
      if (trace.size() > 0 && isChosen.test(trace)) {
        chosen.add(trace);
        names.merge(trace.name(), 1, Integer::sum);
      }
    }
    String name =
        names.entrySet().stream()
            .max(
                Map.Entry.<String, Integer>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .orElse("");
    List<KeptTrace> named =
        chosen.isEmpty()
            ? List.of()
            : traces.stream()
                .filter(trace -> trace.size() > 0 && trace.name().equals(name))
                .toList();
    TraceComparer comparer = new TraceComparer(scan);
    int reduced = 0;
    for (KeptTrace trace : named) {
      if (scan.isCut()) {
        scan.leftOut(
            "Among " + named.size() + " traces, all but " + (comparer.selected + comparer.rest));
        break;
      }
      if (trace.isReduced()) {
        reduced++;
      } else {
        comparer.add(trace, chosen.contains(trace));
      }
    }
    return comparer.comparison(name, chosen.size() - names.getOrDefault(name, 0), reduced, limit);
  }

  private void add(KeptTrace added, boolean chosen) {
    trace = added;
    isSelected = chosen;
    selected += chosen ? 1 : 0;
    rest += chosen ? 0 : 1;
    for (SpanData span : added.spans()) {
      count(NAME, span.getName());
      String node = StoredSpans.node(span);
      count(NODE, node);
      count("", span.getAttributes());
      if (!node.isEmpty()) {
        count("resource.", span.getResource().getAttributes());
      }
      if (StoredSpans.mayHaveEvents(span)) {
        for (EventData event : span.getEvents()) {
          if (!OF_EACH_MESSAGE.contains(event.getName())) {
            count(EVENT, event.getName());
          }
        }
      }
      if (scan.isCut()) {
        return;
      }
    }
  }

  private void count(String prefix, Attributes attributes) {
    attributes.forEach(
        (key, value) -> {
          AttributeType type = key.getType();
          if ((type == AttributeType.STRING
                  || type == AttributeType.LONG
                  || type == AttributeType.BOOLEAN)
              && !key.equals(TraceStore.NODE)) {
            count(prefix.isEmpty() ? key.getKey() : prefix + key.getKey(), value);
          }
        });
  }

  private void count(String field, Object value) {
    scan.goesOn(CHARACTERS_OF_A_VALUE);
    Object kept =
        value instanceof String text && text.length() > MAX_CHARS
            ? text.substring(0, MAX_CHARS) + '…'
            : value;
    Map<Object, Counts> ofField = fields.get(field);
    Counts counts = ofField == null ? null : ofField.get(kept);
    if (counts == null) {
      boolean hasRoom =
          values < MAX_VALUES
              && (ofField == null
                  ? fields.size() < MAX_FIELDS
                  : ofField.size() < MAX_VALUES_OF_FIELD);
      if (!hasRoom) {
        if (cut.size() < MAX_FIELDS) {
          cut.add(field);
        }
        return;
      }
      values++;
      counts = new Counts();
      fields.computeIfAbsent(field, any -> new HashMap<>()).put(kept, counts);
    }
    counts.add(Objects.requireNonNull(trace), isSelected);
  }

  private TraceComparison comparison(String name, int otherNames, int reduced, int limit) {
    List<Counted> differing = new ArrayList<>();
    fields.forEach(
        (field, ofField) ->
            ofField.forEach(
                (value, counts) -> {
                  double certain =
                      ShareDifference.certain(counts.selected, selected, counts.rest, rest);
                  if (certain != 0) {
                    differing.add(
                        new Counted(
                            new TraceComparison.Value(field, value.toString()), counts, certain));
                  }
                }));
    differing.sort(
        Comparator.<Counted>comparingDouble(one -> -Math.abs(one.certain))
            .thenComparingInt(one -> rank(one.value.field()))
            .thenComparing(one -> one.value.field())
            .thenComparing(one -> one.value.value()));
    Map<Long, List<Counted>> alike = new LinkedHashMap<>();
    differing.forEach(
        one -> alike.computeIfAbsent(one.counts.traces, any -> new ArrayList<>()).add(one));
    return new TraceComparison(
        name,
        selected,
        rest,
        new TraceComparison.LeftOut(
            otherNames, reduced, List.copyOf(cut), Math.max(0, alike.size() - limit)),
        alike.values().stream().limit(limit).map(TraceComparer::difference).toList());
  }

  private static TraceComparison.Difference difference(List<Counted> alike) {
    Counted first = alike.get(0);
    Counts counts = first.counts;
    KeptTrace example = first.certain > 0 ? counts.ofSelected : counts.ofRest;
    return new TraceComparison.Difference(
        first.value,
        alike.stream().skip(1).limit(MAX_ALSO).map(Counted::value).toList(),
        Math.max(0, alike.size() - 1 - MAX_ALSO),
        counts.selected,
        counts.rest,
        first.certain,
        example == null ? "" : example.traceId());
  }

  /** Among values of the very same traces, the one that tells a reader most stands first. */
  private static int rank(String field) {
    if (field.equals(NODE) || field.equals(EVENT)) {
      return 0;
    }
    if (field.startsWith("pekko.")) {
      return 2;
    }
    return OURS.contains(field) || field.equals(NAME) || field.startsWith("resource.") ? 3 : 1;
  }
}
