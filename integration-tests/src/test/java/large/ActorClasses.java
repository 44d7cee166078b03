// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package large;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Makes classes of actors: copies of {@link Actor00000} with other digits, patched in place. */
final class ActorClasses extends ClassLoader {
  private static final String TEMPLATE = "Actor00000";

  private final byte[] template;

  ActorClasses() throws IOException {
    super(ActorClasses.class.getClassLoader());
    try (InputStream in = ActorClasses.class.getResourceAsStream(TEMPLATE + ".class")) {
      if (in == null) {
        throw new IOException(TEMPLATE + ".class is not on the class path");
      }
      template = in.readAllBytes();
    }
  }

  Class<? extends Worker> number(int number) {
    String name = String.format(Locale.ROOT, "Actor%05d", number);
    byte[] bytes = template.clone();
    byte[] from = TEMPLATE.getBytes(StandardCharsets.US_ASCII);
    byte[] to = name.getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i <= bytes.length - from.length; i++) {
      if (Arrays.equals(bytes, i, i + from.length, from, 0, from.length)) {
        System.arraycopy(to, 0, bytes, i, to.length);
      }
    }
    return defineClass("large." + name, bytes, 0, bytes.length).asSubclass(Worker.class);
  }
}
