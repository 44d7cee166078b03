// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.pekko;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Links the engine against the very classes it would run with, before the first byte moves: every
 * class, method and field that the constant pools of the engine's classes name must be there,
 * unless it is the JDK's or comes with the engine. That covers Pekko, Scala, and what both bring
 * along. So a version that lacks one is found at the start, not when the first message needs it.
 */
public final class LinkCheck {
  private static final String ENGINE = "io/deimos/remote/engine/";

  /** The JDK's own; and Netty, which comes with the engine under one of these names. */
  private static final List<String> GIVEN =
      List.of("java/", "javax/", "io/deimos/remote/shaded/", "io/netty/");

  private final ClassLoader loader;
  private final Set<String> missing = new LinkedHashSet<>();
  private final Map<String, Set<String>> members = new HashMap<>();

  private LinkCheck(ClassLoader loader) {
    this.loader = loader;
  }

  /** All that is named but not there, beginning at this class; empty if all is well. */
  public static Set<String> missing(Class<?> root) throws IOException {
    LinkCheck check = new LinkCheck(root.getClassLoader());
    Set<String> seen = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>();
    open.add(root.getName().replace('.', '/'));
    while (!open.isEmpty()) {
      String name = open.pop();
      if (seen.add(name)) {
        check.read(name, open);
      }
    }
    if (check.missing.isEmpty()) {
      seen.forEach(check::link); // which would fail at the first of the above
    }
    return check.missing;
  }

  /** The words for a person: the first one by name, the others by their number. */
  public static String describe(Set<String> missing) {
    String first = missing.iterator().next();
    int others = missing.size() - 1;
    return others == 0 ? first : first + " and " + others + " more";
  }

  private void read(String name, Deque<String> open) throws IOException {
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      if (in == null) {
        throw new IOException("cannot read " + name);
      }
      Pool pool = Pool.read(new DataInputStream(in));
      for (String type : pool.classes()) {
        String element = element(type);
        if (element.startsWith(ENGINE)) {
          open.add(element);
        } else if (isForeign(element)) {
          members.computeIfAbsent(element, this::membersOf);
        }
      }
      for (String[] member : pool.members()) {
        String owner = member[0];
        if (isForeign(owner)
            && !missing.contains(owner.replace('/', '.'))
            && !has(owner, member[1], member[2])) {
          missing.add(owner.replace('/', '.') + "." + member[1] + member[2]);
        }
      }
    }
  }

  /** The class an array is made of, or the class itself; empty for primitives. */
  private static String element(String type) {
    if (!type.startsWith("[")) {
      return type;
    }
    int name = type.indexOf('L');
    return name < 0 ? "" : type.substring(name + 1, type.length() - 1);
  }

  /** Whether it is neither the JDK's nor what comes with the engine. */
  private static boolean isForeign(String type) {
    return !type.isEmpty()
        && !type.startsWith("[")
        && !type.startsWith(ENGINE)
        && GIVEN.stream().noneMatch(type::startsWith);
  }

  /** Has the JVM verify one of the engine's classes, and looks for methods nobody implements. */
  private void link(String name) {
    String type = name.replace('/', '.');
    try {
      Class<?> linked = Class.forName(type, false, loader);
      var unused = linked.getDeclaredMethods(); // links, which loading alone does not
      if (!Modifier.isAbstract(linked.getModifiers())) {
        for (Method method : linked.getMethods()) {
          if (Modifier.isAbstract(method.getModifiers())) {
            missing.add("an implementation of " + method + " in the engine");
          }
        }
      }
    } catch (ClassNotFoundException | LinkageError e) {
      missing.add(type + " cannot be linked (" + e + ")");
    }
  }

  private boolean has(String owner, String name, String descriptor) {
    return members.computeIfAbsent(owner, this::membersOf).contains(name + descriptor);
  }

  private Set<String> membersOf(String owner) {
    Set<String> found = new LinkedHashSet<>();
    try {
      collect(Class.forName(owner.replace('/', '.'), false, loader), found);
    } catch (ClassNotFoundException | LinkageError e) {
      missing.add(owner.replace('/', '.'));
    }
    return found;
  }

  private static void collect(@Nullable Class<?> type, Set<String> found) {
    if (type == null) {
      return;
    }
    Stream.concat(
            Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors()))
        .forEach(executable -> found.add(describe(executable)));
    Arrays.stream(type.getDeclaredFields())
        .forEach(field -> found.add(field.getName() + field.getType().descriptorString()));
    collect(type.getSuperclass(), found);
    for (Class<?> parent : type.getInterfaces()) {
      collect(parent, found);
    }
    if (type.isInterface()) {
      collect(Object.class, found);
    }
  }

  private static String describe(Executable executable) {
    StringBuilder text = new StringBuilder();
    boolean constructor = executable instanceof java.lang.reflect.Constructor<?>;
    text.append(constructor ? "<init>" : executable.getName()).append('(');
    for (Class<?> parameter : executable.getParameterTypes()) {
      text.append(parameter.descriptorString());
    }
    text.append(')');
    return text.append(
            executable instanceof Method method ? method.getReturnType().descriptorString() : "V")
        .toString();
  }

  /** A class file's constant pool, as far as it names other classes and their members. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never handed out
  private record Pool(int[] tags, Object[] values, int[] first, int[] second) {
    static Pool read(DataInputStream in) throws IOException {
      in.skipBytes(8);
      int size = in.readUnsignedShort();
      Pool pool = new Pool(new int[size], new Object[size], new int[size], new int[size]);
      for (int i = 1; i < size; i++) {
        int tag = in.readUnsignedByte();
        pool.tags[i] = tag;
        switch (tag) {
          case 1 -> pool.values[i] = in.readUTF();
          case 7, 8, 16, 19, 20 -> pool.first[i] = in.readUnsignedShort();
          case 3, 4 -> in.readInt();
          case 5, 6 -> {
            in.readLong();
            i++; // NOPMD: these take two slots
          }
          case 9, 10, 11, 12, 17, 18 -> {
            pool.first[i] = in.readUnsignedShort();
            pool.second[i] = in.readUnsignedShort();
          }
          case 15 -> {
            in.readUnsignedByte();
            in.readUnsignedShort();
          }
          default -> throw new IOException("unknown constant " + tag);
        }
      }
      return pool;
    }

    Set<String> classes() {
      Set<String> names = new LinkedHashSet<>();
      for (int i = 1; i < tags.length; i++) {
        if (tags[i] == 7) {
          names.add(text(first[i]));
        }
      }
      return names;
    }

    Set<String[]> members() {
      Set<String[]> all = new LinkedHashSet<>();
      for (int i = 1; i < tags.length; i++) {
        if (tags[i] >= 9 && tags[i] <= 11) {
          int nameAndType = second[i];
          all.add(
              new String[] {
                text(first[first[i]]), text(first[nameAndType]), text(second[nameAndType])
              });
        }
      }
      return all;
    }

    private String text(int index) {
      return String.valueOf(values[index]);
    }
  }
}
