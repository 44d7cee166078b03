// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.base.PekkoNames;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.pekko.actor.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects as text by what is in their fields. It calls methods of the JDK's, Scala's and
 * Pekko's classes only, and of these none that would call a method of the application: of
 * collections, those that keep their items themselves. Locks nothing, and makes no lazy value.
 *
 * <p><b>Bounds.</b> {@value #MAX_DEPTH} levels, {@value #MAX_VALUES} values, {@value #MAX_ITEMS}
 * items of a collection, about {@value #MAX_CHARS} characters. Three dots stand for what is left
 * out. A text of more than {@value #MAX_TEXT} characters is told by its length, since a redactor
 * could not know half of a secret.
 */
final class StateText {
  static final int MAX_CHARS = 8192;
  static final int MAX_ITEMS = 20;
  private static final int MAX_DEPTH = 5;
  private static final int MAX_VALUES = 500;
  private static final int MAX_TEXT = 1000;
  private static final int MAX_BITS = 4096;
  private static final String CUT = "…";

  /** Classes, exactly these, whose {@code toString} is the JDK's own and short. */
  private static final Pattern PLAIN =
      Pattern.compile(
          "java\\.(lang\\.(Boolean|Character|Byte|Short|Integer|Long|Float|Double)|util\\.UUID"
              + "|util\\.concurrent\\.atomic\\.(AtomicBoolean|AtomicInteger|AtomicLong|LongAdder)"
              + "|net\\.URI|time\\.(Duration|Instant|Local(Date|Time|DateTime))"
              + "|time\\.(Offset|Zoned)DateTime)");

  /** Collections of the JDK's that keep their items themselves, and lock nothing. */
  private static final Pattern OF_THE_JDK =
      Pattern.compile(
          "java\\.util\\.((Array|Linked)List|ArrayDeque|PriorityQueue|Arrays\\$ArrayList"
              + "|(Linked)?Hash(Map|Set)|Tree(Map|Set)|EnumMap|(Regular|Jumbo)EnumSet"
              + "|ImmutableCollections\\$(List12|ListN|Set12|SetN|Map1|MapN)"
              + "|Collections\\$(Empty|Singleton)(List|Set|Map)?"
              + "|concurrent\\.(ConcurrentHashMap(\\$KeySetView)?|CopyOnWriteArrayList))");

  /** The same of Scala's, which are iterated step by step and know their size. */
  private static final Pattern OF_SCALA =
      Pattern.compile(
          "scala\\.collection\\.(mutable\\.(Linked)?Hash(Map|Set)|mutable\\.Tree(Map|Set)"
              + "|mutable\\.(AnyRefMap|LongMap|ListBuffer|ArrayBuffer|ArrayDeque|Queue|Stack)"
              + "|immutable\\.(\\$colon\\$colon|Nil\\$|Vector\\d?\\$?|Range(\\$\\w+)?|Tree(Map|Set)"
              + "|Hash(Map|Set)(\\$(Hash|Empty)\\w+\\$?)?|(Map|Set)\\$((Map|Set)\\d|Empty\\w+\\$))"
              + "|(mutable|immutable)\\.ArraySeq\\$of\\w+)");

  /** Compilers put this around the names of fields. */
  private static final Pattern AROUND =
      Pattern.compile("^val\\$|^.*\\$\\$|(?<!^arg)\\$(lzy)?\\d+$");

  private final Predicate<String> opens;
  private final StringBuilder text = new StringBuilder();
  private final Set<Object> above = Collections.newSetFromMap(new IdentityHashMap<>());
  private int values;

  /** Takes the fields of an object. */
  interface Fields {
    void take(String name, @Nullable Object value);
  }

  /** In place of a value, words on it. */
  private record Words(String said) {}

  /**
   * @param opens whether the fields of a class may be shown, by its name
   */
  StateText(Predicate<String> opens) {
    this.opens = opens;
  }

  String said() {
    return text.isEmpty() ? "(nothing)" : text.toString();
  }

  /**
   * Adds an object's fields, a line each, if it has any.
   *
   * @param leavesOut asked of each value
   */
  void part(String title, Object of, Predicate<@Nullable Object> leavesOut) {
    int begun = text.length();
    newLine(title);
    int titled = text.length();
    above.add(of); // for good: functions of it do not show it again
    fields(
        of,
        (name, value) -> {
          if (isShown(value) && !leavesOut.test(value)) {
            newLine("  " + name + " = ");
            value(value, 1);
          }
        });
    if (text.length() == titled) {
      text.setLength(begun);
    }
  }

  /** Adds a value in a line of its own. */
  void line(String name, @Nullable Object value) {
    newLine(name + " = ");
    value(value, 0);
  }

  private void newLine(String begin) {
    if (text.length() < MAX_CHARS) {
      text.append(text.isEmpty() ? "" : "\n").append(begin);
    }
  }

  private void value(@Nullable Object at, int depth) {
    if (++values > MAX_VALUES || text.length() > MAX_CHARS) {
      if (!text.toString().endsWith(CUT)) {
        text.append(CUT);
      }
    } else if (at == null) {
      text.append("null");
    } else if (at instanceof String said) {
      string(said);
    } else if (at instanceof Enum<?> word) {
      text.append(word.name());
    } else if (at instanceof Words words) {
      text.append(words.said);
    } else if (isPlain(at)) {
      text.append(at);
    } else if (isRef(at)) {
      text.append(path(at));
    } else if (above.contains(at)) {
      text.append("(the ").append(shortName(at.getClass())).append(" above)");
    } else if (depth >= MAX_DEPTH) {
      text.append(shortName(at.getClass())).append(CUT);
    } else {
      above.add(at);
      inside(at, depth);
      above.remove(at);
    }
  }

  private void string(String said) {
    if (said.length() > MAX_TEXT) {
      text.append("(a String of ").append(said.length()).append(" characters)");
    } else {
      text.append('"').append(said.replaceAll("\\R", "\\\\n")).append('"');
    }
  }

  private void inside(Object at, int depth) {
    Class<?> type = at.getClass();
    String name = type.getName();
    try {
      if (type.isArray()) {
        array(at, depth);
      } else if (OF_THE_JDK.matcher(name).matches()) {
        Map<?, ?> map = at instanceof Map<?, ?> m ? m : null;
        Collection<?> all = map == null ? (Collection<?>) at : map.entrySet();
        items(some(all.iterator()), all.size(), map != null, depth);
      } else if (at instanceof scala.collection.Iterable<?> all
          && OF_SCALA.matcher(name).matches()) {
        boolean counts = name.endsWith("$colon"); // a list has to count
        items(
            some(all.iterator()),
            counts ? -1 : all.size(),
            all instanceof scala.collection.Map<?, ?>,
            depth);
      } else if (at instanceof Optional<?> maybe) {
        value(maybe.isPresent() ? maybe.get() : new Words("empty"), depth);
      } else if (type == AtomicReference.class) {
        value(((AtomicReference<?>) at).get(), depth);
      } else if (name.startsWith("scala.") || isOpen(type)) {
        object(at, depth);
      } else {
        text.append(isFunction(type) ? "(function of " : "(").append(host(name)).append(')');
      }
    } catch (RuntimeException | LinkageError e) {
      text.append("(not read: ").append(e.getClass().getName()).append(')'); // it may change
    }
  }

  private void array(Object at, int depth) {
    int length = Array.getLength(at);
    List<@Nullable Object> some = new ArrayList<>();
    for (int i = 0; i < Math.min(length, MAX_ITEMS); i++) {
      some.add(Array.get(at, i));
    }
    items(some, length, false, depth);
  }

  private static List<@Nullable Object> some(Iterator<?> all) {
    List<@Nullable Object> some = new ArrayList<>();
    while (some.size() <= MAX_ITEMS && all.hasNext()) {
      some.add(all.next());
    }
    return some;
  }

  private static List<@Nullable Object> some(scala.collection.Iterator<?> all) {
    List<@Nullable Object> some = new ArrayList<>();
    while (some.size() <= MAX_ITEMS && all.hasNext()) {
      some.add(all.next());
    }
    return some;
  }

  /**
   * @param size of all; -1 if it is not known
   */
  private void items(List<@Nullable Object> some, int size, boolean map, int depth) {
    text.append(map ? '{' : '[');
    for (int i = 0; i < Math.min(some.size(), MAX_ITEMS); i++) {
      text.append(i == 0 ? "" : ", ");
      Object item = some.get(i);
      if (map && item instanceof Map.Entry<?, ?> entry) {
        value(entry.getKey(), depth + 1);
        text.append(": ");
        value(entry.getValue(), depth + 1);
      } else if (map && item instanceof scala.Tuple2<?, ?> entry) {
        value(entry._1(), depth + 1);
        text.append(": ");
        value(entry._2(), depth + 1);
      } else {
        value(item, depth + 1);
      }
    }
    if (Math.max(size, some.size()) > MAX_ITEMS) {
      text.append(", ").append(CUT).append(size < 0 ? "" : " " + size + " in all");
    }
    text.append(map ? '}' : ']');
  }

  private void object(Object at, int depth) {
    text.append(isFunction(at.getClass()) ? "function of " : "").append(shortName(at.getClass()));
    int named = text.length();
    fields(
        at,
        (name, value) -> {
          if (isShown(value)) {
            text.append(text.length() == named ? "{" : ", ").append(name).append('=');
            value(value, depth + 1);
          }
        });
    text.append(text.length() == named ? "" : "}");
  }

  /** Pekko's own objects are left out, such as an actor's context. */
  private static boolean isShown(@Nullable Object value) {
    return value == null || isRef(value) || !PekkoNames.isPekkos(value.getClass().getName());
  }

  /** The fields of an object, but for what Pekko and the compiler have put there. */
  static void fields(Object of, Fields to) {
    boolean pekkos = PekkoNames.isPekkos(of.getClass().getName());
    for (Class<?> type = of.getClass(); type != null && type != Object.class; ) {
      if (!pekkos && PekkoNames.isPekkos(type.getName())) {
        return;
      }
      Set<String> lazy = lazy(type);
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) || isHidden(field.getName())) {
          continue;
        }
        try {
          field.setAccessible(true);
          Object value = field.get(of);
          boolean unmade = lazy.contains(field.getName()) && isUnmade(field, value);
          to.take(name(field), unmade ? new Words("(lazy, not made)") : value);
        } catch (InaccessibleObjectException | IllegalAccessException e) {
          String module = String.valueOf(type.getModule().getName());
          to.take(type.getName(), new Words("(closed by the module " + module + ")"));
          return;
        }
      }
      type = type.getSuperclass();
    }
  }

  private static boolean isHidden(String field) {
    return field.startsWith("this$")
        || field.startsWith("deimos$")
        || field.startsWith("akka$")
        || field.contains("pekko$")
        || field.contains("bitmap$");
  }

  private static String name(Field field) {
    return AROUND.matcher(field.getName()).replaceAll("");
  }

  /** The lazy values among the fields of a class, if it was written in Scala. */
  private static Set<String> lazy(Class<?> type) {
    Set<String> found = new HashSet<>();
    boolean scala2 = false;
    for (Field field : type.getDeclaredFields()) {
      scala2 |= field.getName().startsWith("bitmap$");
      if (field.getName().contains("$lzy")) {
        found.add(field.getName());
      }
    }
    for (Method method : scala2 ? type.getDeclaredMethods() : new Method[0]) {
      found.add(method.getName().replace("$lzycompute", ""));
    }
    return found;
  }

  /** Scala 2 has a default in the field before, Scala 3 nothing or an object of its own. */
  private static boolean isUnmade(Field field, @Nullable Object value) {
    Class<?> type = field.getType();
    return value == null
        || value.getClass().getName().startsWith("scala.runtime.LazyVals")
        || (type.isPrimitive() && value.equals(Array.get(Array.newInstance(type, 1), 0)));
  }

  private static boolean isPlain(Object at) {
    return PLAIN.matcher(at.getClass().getName()).matches()
        || (at.getClass() == BigInteger.class && ((BigInteger) at).bitLength() <= MAX_BITS)
        || (at.getClass() == BigDecimal.class
            && ((BigDecimal) at).unscaledValue().bitLength() <= MAX_BITS);
  }

  private static boolean isRef(Object at) {
    String name = at.getClass().getName();
    return PekkoNames.isPekkos(name)
        && (at instanceof ActorRef || name.endsWith("ActorRefAdapter"));
  }

  private static String path(Object ref) {
    try {
      return Reflect.call(ref, "path").toString();
    } catch (ReflectiveOperationException e) {
      return "(" + ref.getClass().getName() + ")";
    }
  }

  /** Whether the fields of a class may be shown; those of a function if those of its class may. */
  boolean isOpen(Class<?> type) {
    return type.getClassLoader() != null && opens.test(host(type.getName()));
  }

  static boolean isFunction(Class<?> type) {
    return !host(type.getName()).equals(type.getName());
  }

  /** The class in which a function was written; of others their own name. */
  private static String host(String name) {
    int end = name.indexOf("$$Lambda");
    if (end < 0) {
      end = name.indexOf("$$anonfun");
    }
    return end < 0 ? name : name.substring(0, end);
  }

  static String shortName(Class<?> type) {
    String name = host(type.getName());
    return name.substring(name.lastIndexOf('.') + 1).replaceAll("\\$+$", "");
  }
}
