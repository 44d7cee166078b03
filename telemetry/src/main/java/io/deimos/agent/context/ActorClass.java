// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import io.deimos.recorder.actors.Marks;
import io.deimos.recorder.base.PekkoNames;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Finds the class that the user would name for an actor. For a classic actor that is its own. For a
 * typed one it is the class of the behaviour if the user wrote one, else the class in which the
 * behaviour's functions stand: Pekko wraps behaviours in interceptors and functions in functions of
 * its own, so this looks through both.
 *
 * <p>Pekko's classes are not ours to name here: all is reflection, and what has changed its shape
 * is simply not found.
 */
final class ActorClass {
  private static final String ADAPTER =
      "org.apache.pekko.actor.typed.internal.adapter.ActorAdapter";
  private static final String INTERCEPTOR = "org.apache.pekko.actor.typed.internal.InterceptorImpl";
  private static final String SUPERVISED = "org.apache.pekko.actor.typed.SuperviseBehavior";
  private static final String DEFERRED = "$DeferredBehavior";
  private static final String LAMBDA = "$$Lambda";
  private static final String BEHAVIOR_IMPL = "org.apache.pekko.actor.typed.internal.BehaviorImpl$";

  /** Stands in for the guardian while the system starts. */
  private static final String STARTING =
      "org.apache.pekko.actor.typed.internal.adapter.GuardianStartupBehavior";

  private static final String ROUTING = "org.apache.pekko.actor.typed.internal.routing.";
  private static final String PERSISTENCE = "org.apache.pekko.persistence.typed.internal.";
  private static final int MAX_WRAPPERS = 64;
  private static final int MAX_LOOKED_AT = 64;

  // The findings on a class are kept by the class itself, so they end with its loader.
  private static final ClassValue<Optional<Method>> CURRENT = method("currentBehavior");
  private static final ClassValue<Optional<Method>> NESTED = method("nestedBehavior");

  private static final ClassValue<Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return Shape.of(type);
        }
      };

  private static final ClassValue<String> OWNERS =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return findOwner(type);
        }
      };

  private ActorClass() {}

  /** The class's name, one of Pekko's for Pekko's own actors; null before the behaviour starts. */
  static @Nullable String name(Object actor) throws ReflectiveOperationException {
    if (!name(actor.getClass()).equals(ADAPTER)) {
      return actor.getClass().getName();
    }
    Object behavior = call(CURRENT, actor);
    for (int i = 0; i < MAX_WRAPPERS && behavior != null; i++) {
      Class<?> type = behavior.getClass();
      if (!name(type).equals(INTERCEPTOR)) {
        if (name(type).startsWith(ROUTING)) {
          return type.getName(); // it holds its routees' behaviour, which is not its own
        }
        return isLibrary(type) ? search(behavior) : owner(type);
      }
      behavior = call(NESTED, behavior);
    }
    return null;
  }

  /** As Pekko calls the class, which Akka may have. */
  private static String name(Class<?> type) {
    return PekkoNames.of(type.getName());
  }

  private static boolean isStarting(@Nullable String functions) {
    return functions != null && PekkoNames.of(functions).equals(STARTING);
  }

  private static @Nullable Object call(ClassValue<Optional<Method>> method, Object on)
      throws ReflectiveOperationException {
    Method found = method.get(on.getClass()).orElseThrow(NoSuchMethodException::new);
    return found.invoke(on);
  }

  private static ClassValue<Optional<Method>> method(String name) {
    return new ClassValue<>() {
      @Override
      protected Optional<Method> computeValue(Class<?> type) {
        try {
          Method found = type.getMethod(name);
          found.setAccessible(true);
          return Optional.of(found);
        } catch (ReflectiveOperationException | RuntimeException e) {
          return Optional.empty();
        }
      }
    };
  }

  /** Breadth first, so that what stands in a behaviour goes before what a function captured. */
  private static @Nullable String search(Object behavior) throws IllegalAccessException {
    Queue<Object> queue = new ArrayDeque<>();
    queue.add(behavior);
    String pekkos = null;
    for (int i = 0; i < MAX_LOOKED_AT && !queue.isEmpty(); i++) {
      Object at = queue.remove();
      Class<?> type = at.getClass();
      Shape shape = SHAPES.get(type);
      if (type.isArray()) {
        for (int j = 0; j < Math.min(Array.getLength(at), MAX_LOOKED_AT); j++) {
          offer(queue, Array.get(at, j));
        }
      } else if (shape.isUsers) {
        return owner(type);
      } else if (shape.isLooked) {
        if (type.getName().contains(LAMBDA)) {
          pekkos = pekkos == null ? owner(type) : pekkos;
        }
        for (Field field : shape.fields) {
          offer(queue, field.get(at));
        }
      }
    }
    return pekkos(behavior, pekkos);
  }

  /** The class of a behaviour without a user's function in it: one of Pekko's own actors. */
  private static @Nullable String pekkos(Object behavior, @Nullable String functions) {
    String name = behavior.getClass().getName();
    if (isDeferred(behavior.getClass()) || isStarting(functions)) {
      return null;
    }
    return functions != null && name(behavior.getClass()).startsWith(BEHAVIOR_IMPL)
        ? functions
        : name;
  }

  /** A function of the user's, not something that a function of Pekko's happens to hold. */
  private static boolean isFunction(Class<?> type) {
    if (type.getName().contains(LAMBDA) || type.getName().contains("$anonfun")) {
      return true;
    }
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Class<?> i : c.getInterfaces()) {
        String name = name(i);
        if (name.startsWith("scala.Function")
            || name.startsWith("scala.PartialFunction")
            || name.startsWith("java.util.function.")
            || name.startsWith("org.apache.pekko.japi.")) {
          return true;
        }
      }
    }
    return false;
  }

  private static Field[] fields(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> c = type; c != null && PekkoNames.isPekkos(c.getName()); c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          field.setAccessible(true);
          fields.add(field);
        }
      }
    }
    return fields.toArray(new Field[0]);
  }

  private static void offer(Queue<Object> queue, @Nullable Object value) {
    if (value != null) {
      queue.add(value);
    }
  }

  /** Behaviours, the cases of built ones, and functions; not contexts, references, systems. */
  private static boolean mayHoldFunctions(Class<?> type) {
    String name = name(type);
    if (!PekkoNames.isPekkos(name) || isDeferred(type)) {
      return false;
    }
    return name.contains(LAMBDA)
        || name.contains("$anon")
        || name.endsWith("Case")
        || name.startsWith(PERSISTENCE)
        || isBehavior(type);
  }

  private static boolean isBehavior(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (name(c).equals("org.apache.pekko.actor.typed.Behavior")) {
        return true;
      }
    }
    return false;
  }

  /** An actor that has not started: what it will be is not known before. */
  private static boolean isDeferred(Class<?> type) {
    if (name(type).equals(SUPERVISED)) {
      return true;
    }
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (c.getName().endsWith(DEFERRED)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLibrary(Class<?> type) {
    String name = type.getName();
    return type.isPrimitive()
        || type.isArray()
        || PekkoNames.isPekkos(name)
        || name.startsWith("scala.")
        || name.startsWith("java.")
        || name.startsWith("jdk.");
  }

  /** {@code shop.Cart$$Lambda/0x1} and {@code shop.Cart$} are {@code shop.Cart}. */
  static String owner(Class<?> type) {
    return OWNERS.get(type);
  }

  private static String findOwner(Class<?> type) {
    String name = ownerName(type);
    try {
      Marks.note(
          name,
          name.equals(type.getName()) ? type : Class.forName(name, false, type.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      // A name that only looks like a class's: it has no marks.
    }
    return name;
  }

  private static String ownerName(Class<?> type) {
    String name = type.getName();
    for (String mark : new String[] {LAMBDA, "$$anon", "$anonfun"}) {
      int at = name.indexOf(mark);
      name = at > 0 ? name.substring(0, at) : name;
    }
    int end = name.length();
    while (end > 1 && isNumbered(name, end)) {
      end = name.lastIndexOf('$', end - 1);
    }
    while (end > 1 && name.charAt(end - 1) == '$') {
      end--;
    }
    return name.substring(0, end);
  }

  /** Whether the last part, up to {@code end}, is the number of an anonymous class. */
  private static boolean isNumbered(String name, int end) {
    int at = end;
    while (at > 0 && Character.isDigit(name.charAt(at - 1))) {
      at--;
    }
    return at < end && at > 1 && name.charAt(at - 1) == '$';
  }

  /** The role of a class in the search for the user's functions. */
  private static final class Shape {
    /** The user's own function or behaviour. */
    final boolean isUsers;

    /** One of Pekko's that may hold such. */
    final boolean isLooked;

    /** The places of such a one that may hold them. */
    final Field[] fields;

    private Shape(boolean isUsers, boolean isLooked, Field[] fields) {
      this.isUsers = isUsers;
      this.isLooked = isLooked;
      this.fields = fields;
    }

    static Shape of(Class<?> type) {
      boolean library = isLibrary(type);
      boolean users = !library && (isFunction(type) || isBehavior(type));
      boolean looked = library && mayHoldFunctions(type);
      return new Shape(users, looked, looked ? fields(type) : new Field[0]);
    }
  }
}
