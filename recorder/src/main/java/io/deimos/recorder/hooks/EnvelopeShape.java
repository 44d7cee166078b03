// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * The readable parts of the envelopes of one class: Pekko has several kinds, which have the same
 * methods and nothing else in common, and applications have their own. Immutable.
 */
final class EnvelopeShape {
  /** Kept by the class itself, so that it ends with its loader. */
  private static final ClassValue<EnvelopeShape> SHAPES =
      new ClassValue<>() {
        @Override
        protected EnvelopeShape computeValue(Class<?> type) {
          return new EnvelopeShape(type);
        }
      };

  private final @Nullable Method persistenceId;
  private final @Nullable Method sequenceNr;
  private final @Nullable Method event;

  private EnvelopeShape(Class<?> type) {
    persistenceId = method(type, "persistenceId", String.class);
    sequenceNr = method(type, "sequenceNr", long.class);
    Method inside = persistenceId == null ? null : method(type, "event", Object.class);
    event = inside != null || persistenceId == null ? inside : method(type, "value", Object.class);
  }

  private static @Nullable Method method(Class<?> type, String name, Class<?> returned) {
    if (!Modifier.isPublic(type.getModifiers())) {
      return null;
    }
    try {
      Method method = type.getMethod(name);
      return method.getReturnType() == returned && !Modifier.isStatic(method.getModifiers())
          ? method
          : null;
    } catch (NoSuchMethodException | LinkageError e) {
      return null;
    }
  }

  static EnvelopeShape of(Object envelope) {
    return SHAPES.get(envelope.getClass());
  }

  /** Whether these are events, or states, of a journal. */
  boolean isOfJournal() {
    return persistenceId != null;
  }

  @Nullable String persistenceId(Object envelope) {
    return (String) read(persistenceId, envelope);
  }

  /** 0 for none. */
  long sequenceNr(Object envelope) {
    return read(sequenceNr, envelope) instanceof Long number ? number : 0;
  }

  /** The class of what is in the envelope; of one that we do not know, its own. */
  String eventClass(Object envelope) {
    Object inside = read(event, envelope);
    return (inside == null ? envelope : inside).getClass().getName();
  }

  private static @Nullable Object read(@Nullable Method method, Object of) {
    try {
      return method == null ? null : method.invoke(of);
    } catch (IllegalAccessException | InvocationTargetException e) {
      return null; // in a module that keeps it to itself, or it fails
    }
  }
}
