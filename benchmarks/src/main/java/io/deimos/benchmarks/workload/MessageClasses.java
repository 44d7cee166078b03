// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Makes message classes: copies of {@link Message0000} whose name differs in its four digits.
 *
 * <p>Names of equal length let the bytes be patched in place; no library that writes class files is
 * needed.
 */
final class MessageClasses extends ClassLoader {
  private static final String TEMPLATE = "Message0000";
  private static final int MOST = 10_000;

  private final byte[] template;

  MessageClasses() {
    super(MessageClasses.class.getClassLoader());
    try (InputStream in = MessageClasses.class.getResourceAsStream(TEMPLATE + ".class")) {
      if (in == null) {
        throw new IllegalStateException(TEMPLATE + ".class is not on the class path");
      }
      template = in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns one message of each of {@code count} classes, {@code count} in [1, 10000]. */
  Object[] instances(int count) throws ReflectiveOperationException {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("classes=" + count + ": expected 1 to " + MOST);
    }
    Object[] instances = new Object[count];
    for (int i = 0; i < count; i++) {
      instances[i] = define(i).getDeclaredConstructor().newInstance();
    }
    return instances;
  }

  private Class<?> define(int number) {
    String name = String.format(Locale.ROOT, "Message%04d", number);
    byte[] bytes = template.clone();
    replaceAll(
        bytes,
        TEMPLATE.getBytes(StandardCharsets.US_ASCII),
        name.getBytes(StandardCharsets.US_ASCII));
    String qualified = MessageClasses.class.getPackageName() + '.' + name;
    return defineClass(qualified, bytes, 0, bytes.length);
  }

  private static void replaceAll(byte[] bytes, byte[] from, byte[] to) {
    for (int i = 0; i <= bytes.length - from.length; i++) {
      if (java.util.Arrays.equals(bytes, i, i + from.length, from, 0, from.length)) {
        System.arraycopy(to, 0, bytes, i, to.length);
      }
    }
  }
}
