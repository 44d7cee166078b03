// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * The methods of classes, read from class files and no more of these than that takes: a hundred
 * classes are looked at while the application starts.
 */
final class ClassShapes {
  private final ClassFiles files;
  private final Map<String, Optional<List<Shape>>> read = new HashMap<>();

  /**
   * A method.
   *
   * @param descriptor its parameters and what it returns, as in class files
   */
  record Shape(int access, String name, String descriptor) {
    /** Its erased parameter types, as {@link Class#getName} has them. */
    List<String> parameters() {
      List<String> names = new ArrayList<>();
      for (Type type : Type.getArgumentTypes(descriptor)) {
        names.add(
            type.getSort() == Type.ARRAY
                ? type.getDescriptor().replace('/', '.')
                : type.getClassName());
      }
      return names;
    }
  }

  ClassShapes(ClassFiles files) {
    this.files = files;
  }

  boolean isThere(String type) {
    return methods(type) != null;
  }

  /** Those that the class itself declares; null if it is not there. */
  @Nullable List<Shape> methods(String type) {
    return read.computeIfAbsent(type, this::read).orElse(null);
  }

  private Optional<List<Shape>> read(String type) {
    try {
      byte[] found = files.read(type);
      return found == null ? Optional.empty() : Optional.of(new Reading(found).methods());
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + type, e);
    }
  }

  /** Goes through a class file once, as chapter 4 of the JVM's specification describes it. */
  private static final class Reading {
    private static final int FIRST_CONSTANT = 10;

    private static final int TEXT = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;

    private final byte[] file;
    private final int[] texts; // where they begin, with their length
    private int at = FIRST_CONSTANT;

    Reading(byte[] file) {
      this.file = file;
      int constants = number(FIRST_CONSTANT - 2);
      texts = new int[constants];
      for (int i = 1; i < constants; i++) {
        int kind = file[at];
        if (kind == TEXT) {
          texts[i] = at + 1;
          at += 3 + number(at + 1);
        } else {
          at += length(kind);
          i += kind == LONG || kind == DOUBLE ? 1 : 0;
        }
      }
    }

    /** For a constant other than a text. */
    private static int length(int kind) {
      return switch (kind) {
        case LONG, DOUBLE -> 9;
        case 3, 4, 9, 10, 11, 12, 17, 18 -> 5;
        case 15 -> 4;
        case 7, 8, 16, 19, 20 -> 3;
        default -> throw new IllegalStateException("constant of unknown kind " + kind);
      };
    }

    List<Shape> methods() {
      at += 6; // access, this, super
      at += 2 + 2 * number(at); // interfaces
      int fields = next();
      for (int i = 0; i < fields; i++) {
        at += 6;
        skipAttributes();
      }
      int methods = next();
      List<Shape> all = new ArrayList<>(methods);
      for (int i = 0; i < methods; i++) {
        all.add(new Shape(next(), text(next()), text(next())));
        skipAttributes();
      }
      return all;
    }

    private void skipAttributes() {
      for (int attributes = next(); attributes > 0; attributes--) {
        at += 6 + ((number(at + 2) << 16) | number(at + 4));
      }
    }

    private int next() {
      at += 2;
      return number(at - 2);
    }

    private int number(int place) {
      return ((file[place] & 0xff) << 8) | (file[place + 1] & 0xff);
    }

    /** Names of methods and types that we look for are of ASCII. */
    private String text(int constant) {
      int place = texts[constant];
      return new String(file, place + 2, number(place), StandardCharsets.ISO_8859_1);
    }
  }
}
