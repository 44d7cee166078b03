// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.weave;

import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The classes that {@link RemoteWeaving} weaves; nothing of Byte Buddy is loaded to know them. */
public final class RemoteClasses {
  private RemoteClasses() {}

  /**
   * The classes that are woven, by name as in class files and by class loader; for agents that ask
   * before they make a builder.
   *
   * @param warn takes one line when a switch says what cannot be understood
   */
  public static BiPredicate<String, @Nullable ClassLoader> wanted(Consumer<String> warn) {
    Set<String> names =
        Set.of(
            RemoteWeaving.TRANSPORT.replace('.', '/'),
            RemoteWeaving.BASE.replace('.', '/'),
            RemoteWeaving.AKKAS.replace('.', '/'),
            RemoteWeaving.ASSOCIATION.replace('.', '/'));
    RemoteSwitch enabled = new RemoteSwitch(System.getProperties(), System.getenv(), warn);
    return (name, loader) -> names.contains(name) && enabled.test(loader);
  }
}
