// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.lean;

import io.deimos.recorder.base.Faults;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transformer that is made when the first class that it is for is loaded. Until then nothing of
 * it costs more than a look at a name.
 *
 * <p><b>Threads.</b> Called by any thread that loads a class.
 */
public final class LateTransformer implements ClassFileTransformer {
  private static final ClassFileTransformer NOTHING = new ClassFileTransformer() {};

  private final BiPredicate<String, @Nullable ClassLoader> wanted;
  private final Supplier<ClassFileTransformer> making;
  private final Consumer<Throwable> failed;
  private @Nullable ClassFileTransformer made;

  /**
   * A transformer that is not made yet.
   *
   * @param wanted which classes it is for: name as in class files, and class loader
   * @param making makes what is done to them
   * @param failed told if that fails; then nothing is done
   */
  public LateTransformer(
      BiPredicate<String, @Nullable ClassLoader> wanted,
      Supplier<ClassFileTransformer> making,
      Consumer<Throwable> failed) {
    this.wanted = wanted;
    this.making = making;
    this.failed = failed;
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] bytes) {
    if (name == null
        || loader == LateTransformer.class.getClassLoader()
        || !wanted.test(name, loader)) {
      return null;
    }
    try {
      return made().transform(module, loader, name, redefined, domain, bytes);
    } catch (Throwable t) {
      Faults.caught(t);
      return null;
    }
  }

  private synchronized ClassFileTransformer made() {
    ClassFileTransformer known = made;
    if (known == null) {
      known = NOTHING; // whatever is loaded meanwhile
      made = known;
      try {
        known = making.get();
      } catch (Throwable t) {
        failed.accept(t);
      }
      made = known;
    }
    return known;
  }
}
