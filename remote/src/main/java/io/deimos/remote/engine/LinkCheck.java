// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Executable;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the constant pools of the engine's classes and looks up every class, method and field of
 * Pekko that they name in the Pekko that is there. So a version that lacks one is found before the
 * first byte moves, not when the first message needs it.
 */
final class LinkCheck {
  private static final String ENGINE = "io/deimos/remote/engine/";
  private static final String PEKKO = "org/apache/pekko/";

  private final ClassLoader loader;
  private final Set<String> missing = new LinkedHashSet<>();
  private final Map<String, Set<String>> members = new HashMap<>();

  private LinkCheck(ClassLoader loader) {
    this.loader = loader;
  }

  /** The members of Pekko that are named but not there; empty if all is well. */
  static Set<String> missing(Class<?> root) throws IOException {
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
    return check.missing;
  }

  private void read(String name, Deque<String> open) throws IOException {
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      if (in == null) {
        throw new IOException("cannot read " + name);
      }
      Pool pool = Pool.read(new DataInputStream(in));
      for (String type : pool.classes()) {
        if (type.startsWith(ENGINE)) {
          open.add(type);
        }
      }
      for (String[] member : pool.members()) {
        if (member[0].startsWith(PEKKO) && !has(member[0], member[1], member[2])) {
          missing.add(member[0].replace('/', '.') + "." + member[1] + member[2]);
        }
      }
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
            executable instanceof java.lang.reflect.Method method
                ? method.getReturnType().descriptorString()
                : "V")
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
