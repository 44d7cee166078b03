// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.clock;

import io.deimos.recorder.clock.FastClock;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The counter on JDK 17, which has native calls without a change of the thread's state in its
 * {@code java.base}: the compiler C2 makes a plain call of such a handle, and everybody else runs
 * the handle's fallback, which here answers that there is {@link FastClock#NO_READING}.
 *
 * <p>The code lies in a page of its own, which is written, then made executable, and kept for as
 * long as the process runs. The one call into the system is of the same kind as the counter's, so
 * it waits until C2 has compiled it.
 */
final class CompiledCalls {
  private static final int PAGE_BYTES = 4096;
  private static final long READ_EXECUTE = 5;

  /** The registers of x86-64 by their numbers in machine code: the result, and three arguments. */
  private static final int RAX = 0;

  private static final int RDI = 7;
  private static final int RSI = 6;
  private static final int RDX = 2;

  private static volatile @Nullable MethodHandle protection;

  private final MethodHandles.Lookup base;
  private final Class<?> entryType;

  private CompiledCalls(Instrumentation instrumentation) throws ReflectiveOperationException {
    Set<Module> ours = Set.of(CompiledCalls.class.getModule());
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of(),
        Map.of(
            "java.lang", ours,
            "jdk.internal.access", ours,
            "jdk.internal.invoke", ours,
            "jdk.internal.misc", ours),
        Set.of(),
        Map.of());
    base = MethodHandles.lookup();
    entryType = Class.forName("jdk.internal.invoke.NativeEntryPoint");
  }

  /**
   * Makes the code.
   *
   * @return of type {@code ()long}, for any thread at any time
   */
  static MethodHandle counter(Instrumentation instrumentation, byte[] code) throws Throwable {
    CompiledCalls calls = new CompiledCalls(instrumentation);
    long at = calls.write(code);
    MethodHandle protect =
        calls.link(
            calls.address("mprotect"),
            MethodType.methodType(long.class, long.class, long.class, long.class),
            RDI,
            RSI,
            RDX);
    protection = MethodHandles.insertArguments(protect, 0, at, (long) PAGE_BYTES, READ_EXECUTE);
    Long result = FastClock.untilCompiled(Protection::set);
    if (result == null) {
      throw new TimeStampCounter.UnusableException("this JVM does not compile its code with C2");
    }
    if (result.intValue() != 0) {
      throw new TimeStampCounter.UnusableException("the system does not let its code be executed");
    }
    return calls.link(at, MethodType.methodType(long.class));
  }

  /** A page with the code at its beginning; never given back. */
  private long write(byte[] code) throws Throwable {
    Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, base);
    Object unsafe = lookup.findStatic(type, "getUnsafe", MethodType.methodType(type)).invoke();
    MethodType allocation = MethodType.methodType(long.class, long.class);
    long block =
        (long)
            lookup.findVirtual(type, "allocateMemory", allocation).invoke(unsafe, 2L * PAGE_BYTES);
    long at = (block + PAGE_BYTES - 1) & -PAGE_BYTES;
    MethodHandle put =
        lookup.findVirtual(
            type, "putByte", MethodType.methodType(void.class, long.class, byte.class));
    for (int i = 0; i < code.length; i++) {
      put.invoke(unsafe, at + i, code[i]);
    }
    return at;
  }

  private long address(String symbol) throws Throwable {
    MethodHandle find =
        MethodHandles.privateLookupIn(ClassLoader.class, base)
            .findStatic(
                ClassLoader.class,
                "findNative",
                MethodType.methodType(long.class, ClassLoader.class, String.class));
    long address = (long) find.invoke((@Nullable ClassLoader) null, symbol);
    if (address == 0) {
      throw new TimeStampCounter.UnusableException("the system has no " + symbol);
    }
    return address;
  }

  private MethodHandle link(long address, MethodType type, int... registers) throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(entryType, base);
    MethodHandle register =
        lookup.findStatic(
            entryType, "vmStorageToVMReg", MethodType.methodType(long.class, int.class, int.class));
    long[] arguments = new long[registers.length];
    for (int i = 0; i < registers.length; i++) {
      arguments[i] = (long) register.invoke(0, registers[i]);
    }
    long[] results = {(long) register.invoke(0, RAX)};
    MethodType native17 = type.insertParameterTypes(0, long.class);
    Object entry =
        lookup
            .findConstructor(
                entryType,
                MethodType.methodType(
                    void.class,
                    int.class,
                    long[].class,
                    long[].class,
                    boolean.class,
                    MethodType.class,
                    String.class))
            .invoke(0, arguments, results, false, native17, "deimos");
    MethodHandle fallback =
        MethodHandles.dropArguments(
            MethodHandles.constant(long.class, FastClock.NO_READING), 0, native17.parameterList());
    Class<?> secrets = Class.forName("jdk.internal.access.SharedSecrets");
    Class<?> accessType = Class.forName("jdk.internal.access.JavaLangInvokeAccess");
    MethodHandles.Lookup access = MethodHandles.privateLookupIn(secrets, base);
    Object invoke =
        access
            .findStatic(secrets, "getJavaLangInvokeAccess", MethodType.methodType(accessType))
            .invoke();
    MethodHandle made =
        (MethodHandle)
            access
                .findVirtual(
                    accessType,
                    "nativeMethodHandle",
                    MethodType.methodType(MethodHandle.class, entryType, MethodHandle.class))
                .invoke(invoke, entry, fallback);
    return MethodHandles.insertArguments(made, 0, address);
  }

  /** A class of its own, so that its field is a constant to the JIT compiler. */
  private static final class Protection {
    private static final @Nullable MethodHandle SET = protection;

    private Protection() {}

    /** Returns the answer of the one call; null while it is not compiled. */
    static @Nullable Long set() {
      for (int i = 0; i < FastClock.CALLS; i++) {
        long answer = call();
        if (answer != FastClock.NO_READING) {
          return answer;
        }
      }
      return null;
    }

    private static long call() {
      try {
        return SET == null ? FastClock.NO_READING : (long) SET.invokeExact();
      } catch (Throwable t) {
        throw new IllegalStateException("the counter's code cannot be made executable", t);
      }
    }
  }
}
