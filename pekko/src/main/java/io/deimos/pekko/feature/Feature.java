// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Hook points and added fields that are woven together or not at all: half of a feature would
 * record nonsense.
 *
 * <p>A feature whose classes are not on the application's class path is not woven and not missed;
 * one that is there in another shape than we know is switched off and named. Immutable.
 */
public final class Feature {
  /** The switch that has to be on for a feature to be woven. */
  public enum Need {
    /** Spans. */
    TRACING,
    /** Metrics. */
    METRICS,
    /** Contexts that go from node to node. */
    REMOTE,
    /** Contexts that go with the elements of streams. */
    STREAMS,
    /** Counts of what passes to other nodes. */
    REMOTE_METRICS,
    /** Writes of events and recoveries. */
    PERSISTENCE
  }

  private final String name;
  private final List<String> markers;
  private final Set<Need> needs;
  private final boolean ofLibrary;
  private final Map<String, Class<?>> fields;
  private final List<HookPoint> hooks;

  private Feature(
      Feature of, List<String> markers, Map<String, Class<?>> fields, List<HookPoint> hooks) {
    name = of.name;
    this.markers = List.copyOf(markers);
    needs = of.needs;
    ofLibrary = of.ofLibrary;
    this.fields = Map.copyOf(fields);
    this.hooks = List.copyOf(hooks);
  }

  private Feature(Builder from) {
    name = from.name;
    markers = List.copyOf(from.markers);
    needs = from.needs;
    ofLibrary = from.ofLibrary;
    fields = Map.copyOf(from.fields);
    hooks = List.copyOf(from.hooks);
  }

  static Builder named(String name) {
    return new Builder(name);
  }

  public String name() {
    return name;
  }

  /** The classes without any of which the application does not use the feature. */
  public List<String> markers() {
    return markers;
  }

  /** Whether the feature is woven where so much is switched on. */
  public boolean isWanted(Set<Need> on) {
    return on.containsAll(needs);
  }

  /** Whether it is woven wherever all of these are: it needs nothing that they do not. */
  public boolean isWovenWith(Collection<Feature> others) {
    return needs.stream().allMatch(need -> others.stream().anyMatch(f -> f.needs.contains(need)))
        && markers.stream()
            .allMatch(type -> others.stream().anyMatch(f -> f.markers.contains(type)));
  }

  /**
   * True for a feature of a library that is not Pekko's: what actors log with, and Scala's futures.
   * It is woven wherever it is loaded, be it above Pekko's class loader.
   */
  public boolean isOfLibrary() {
    return ofLibrary;
  }

  /** The same for a library whose names differ; hooks and advice keep theirs. */
  public Feature renamed(UnaryOperator<String> names) {
    Map<String, Class<?>> renamed = new LinkedHashMap<>();
    fields.forEach((type, added) -> renamed.put(names.apply(type), added));
    return new Feature(
        this,
        markers.stream().map(names).toList(),
        renamed,
        hooks.stream().map(hook -> hook.renamed(names)).toList());
  }

  /** The interface of the fields that each class gets, in this process at its first load only. */
  public Map<String, Class<?>> fields() {
    return fields;
  }

  /** Those of one name are forms of one hook, of which the first that is there is woven. */
  public List<HookPoint> hooks() {
    return hooks;
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * Declares a feature, class by class: {@link #in} says which, what follows is of that class until
   * the next one. A hook is a method, what it takes, and the advice that ends it.
   */
  static final class Builder {
    private static final String ADVICE = "io.deimos.pekko.advice.";

    private final String name;
    private final List<String> markers = new ArrayList<>();
    private final Set<Need> needs = EnumSet.noneOf(Need.class);
    private final Map<String, Class<?>> fields = new LinkedHashMap<>();
    private final List<HookPoint> hooks = new ArrayList<>();
    private boolean ofLibrary;
    private @Nullable String type;
    private @Nullable String method;
    private @Nullable String called;
    private @Nullable String otherwise;
    private List<String> parameters = List.of();

    private Builder(String name) {
      this.name = name;
    }

    /** A class whose absence means that the application does not use the feature. */
    Builder usedWith(String marker) {
      markers.add(marker);
      return this;
    }

    Builder needs(Need... all) {
      needs.addAll(List.of(all));
      return this;
    }

    Builder ofLibrary() {
      ofLibrary = true;
      return this;
    }

    /**
     * The class, interface or object whose own method bodies are woven; for a Scala trait the
     * interface itself, never a class's forwarder.
     */
    Builder in(String className) {
      type = className;
      return this;
    }

    /** The class gets the fields of an interface of the recorder. */
    Builder fields(Class<?> added) {
      fields.put(given(type, "in"), added);
      return this;
    }

    Builder constructor() {
      return method("<init>");
    }

    Builder method(String methodName) {
      method = methodName;
      parameters = List.of();
      called = null;
      return this;
    }

    /** The body of the first lambda in a method. */
    Builder lambdaIn(String methodName) {
      return method(ScalaNames.lambdaIn(methodName));
    }

    /** The next hook is the last one again, in the form of another version of Pekko or Scala. */
    Builder or() {
      if (hooks.isEmpty()) {
        throw new IllegalStateException(name + ": weave(…) must come before");
      }
      otherwise = hooks.get(hooks.size() - 1).name();
      return this;
    }

    /** The erased parameter types; none if this is left out. */
    Builder takes(String... types) {
      parameters = List.of(types);
      return this;
    }

    /** As the self-test and the report name the hook, where {@code Class.method} would not do. */
    Builder called(String hookName) {
      called = hookName;
      return this;
    }

    /** The advice class, and with it the end of a hook. */
    Builder weave(String advice) {
      String in = given(type, "in");
      String woven = given(method, "method");
      String known = otherwise != null ? otherwise : called;
      otherwise = null;
      hooks.add(
          new HookPoint(
              known != null ? known : HookPoint.name(in, woven),
              in,
              woven,
              parameters,
              ADVICE + advice));
      return this;
    }

    private String given(@Nullable String value, String what) {
      if (value == null) {
        throw new IllegalStateException(name + ": " + what + "(…) must come before");
      }
      return value;
    }

    Feature build() {
      return new Feature(this);
    }
  }
}
