// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.clock;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads the processor's time-stamp counter: ten bytes of machine code in memory of their own,
 * called without a change of the thread's state: a <i>critical</i> call on JDK 22 and later; on JDK
 * 17 see {@link CompiledCalls}.
 *
 * <p>Only on Linux on x86-64 where the processor says that its counter runs at one speed and never
 * stops, and where the kernel uses it for its own clock: the kernel watches whether the counters of
 * all cores agree.
 *
 * <p>All is done by reflection, since this class must load on JDK 17.
 */
public final class TimeStampCounter {
  private static final int OLDEST_JAVA = 17;
  private static final int CRITICAL_JAVA = 22;
  private static final Path CLOCK_SOURCE =
      Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  private static final long PAGE_BYTES = 4096;
  private static final int READ_WRITE = 3;
  private static final int READ_EXECUTE = 5;
  private static final int PRIVATE_ANONYMOUS = 0x22;

  /** rdtsc; shl rdx, 32; or rax, rdx; ret. */
  private static final byte[] CODE = {
    0x0f, 0x31, 0x48, (byte) 0xc1, (byte) 0xe2, 0x20, 0x48, 0x09, (byte) 0xd0, (byte) 0xc3
  };

  /** Why there is no such clock here. */
  public static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1;

    UnusableException(String reason) {
      super(reason);
    }
  }

  private final MethodHandles.Lookup lookup;
  private final Class<?> linkerType;
  private final Class<?> segmentType;
  private final Class<?> layoutType;
  private final Class<?> optionType;
  private final Object linker;

  private TimeStampCounter(MethodHandles.Lookup lookup) throws Throwable {
    this.lookup = lookup;
    linkerType = foreign("Linker");
    segmentType = foreign("MemorySegment");
    layoutType = foreign("MemoryLayout");
    optionType = foreign("Linker$Option");
    linker =
        lookup.findStatic(linkerType, "nativeLinker", MethodType.methodType(linkerType)).invoke();
  }

  /**
   * Makes the code.
   *
   * @return of type {@code ()long}, for any thread at any time
   * @throws UnusableException with the reason, a part of a sentence
   */
  public static MethodHandle make(Instrumentation instrumentation) throws UnusableException {
    int java = Runtime.version().feature();
    if (java != OLDEST_JAVA && java < CRITICAL_JAVA) {
      throw new UnusableException(
          "it needs Java " + OLDEST_JAVA + ", or " + CRITICAL_JAVA + " or later");
    }
    requireSteadyCounter();
    try {
      if (java == OLDEST_JAVA) {
        requireHotSpotCompiler();
        return CompiledCalls.counter(instrumentation, CODE);
      }
      return new TimeStampCounter(NativeModule.lookup(instrumentation)).make();
    } catch (UnusableException e) {
      throw e;
    } catch (Throwable t) {
      throw new UnusableException("this JVM does not allow it (" + t + ")");
    }
  }

  private static void requireHotSpotCompiler() throws UnusableException {
    String name = System.getProperty("java.vm.name", "");
    String mode = System.getProperty("java.vm.info", "");
    String version = System.getProperty("java.vm.version", "");
    if (!name.endsWith("64-Bit Server VM")
        || !mode.startsWith("mixed mode")
        || version.contains("jvmci")) { // where another compiler may stand in for C2
      throw new UnusableException("it needs the compiler C2 of HotSpot in mixed mode");
    }
  }

  private static void requireSteadyCounter() throws UnusableException {
    if (!System.getProperty("os.name", "").equals("Linux")
        || !System.getProperty("os.arch", "").equals("amd64")) {
      throw new UnusableException("it needs Linux on x86-64");
    }
    try {
      String source = Files.readString(CLOCK_SOURCE).strip();
      if (!source.equals("tsc")) {
        throw new UnusableException("the kernel's own clock is " + source + " and not tsc");
      }
      List<String> flags =
          Files.readAllLines(PROCESSORS).stream()
              .filter(line -> line.startsWith("flags"))
              .map(line -> line + ' ')
              .toList();
      boolean steady =
          flags.stream()
              .allMatch(line -> line.contains(" constant_tsc ") && line.contains(" nonstop_tsc "));
      if (flags.isEmpty() || !steady) {
        throw new UnusableException("the processor does not say that its counter is steady");
      }
    } catch (IOException e) {
      throw new UnusableException("what the processor can do is not to be read (" + e + ")");
    }
  }

  private MethodHandle make() throws Throwable {
    Object longs = value("JAVA_LONG");
    Object ints = value("JAVA_INT");
    MethodHandle mmap = downcall("mmap", function(longs, longs, longs, ints, ints, ints, longs));
    MethodHandle mprotect = downcall("mprotect", function(ints, longs, longs, ints));
    long at = (long) mmap.invoke(0L, PAGE_BYTES, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0L);
    if (at == -1) {
      throw new UnusableException("the system gives no memory for its code");
    }
    write(at);
    if ((int) mprotect.invoke(at, PAGE_BYTES, READ_EXECUTE) != 0) {
      throw new UnusableException("the system does not let its code be executed");
    }
    MethodHandle read = downcall(segment(at), function(longs), critical());
    requireAscending(read);
    return read;
  }

  private static void requireAscending(MethodHandle read) throws Throwable {
    long before = (long) read.invokeExact();
    for (int i = 0; i < 1000; i++) {
      long now = (long) read.invokeExact();
      if (now < before || now == 0) {
        throw new UnusableException("the processor's counter goes back");
      }
      before = now;
    }
  }

  private void write(long at) throws Throwable {
    Object target =
        lookup
            .findVirtual(segmentType, "reinterpret", MethodType.methodType(segmentType, long.class))
            .invoke(segment(at), PAGE_BYTES);
    Object code =
        lookup
            .findStatic(segmentType, "ofArray", MethodType.methodType(segmentType, byte[].class))
            .invoke(CODE);
    lookup
        .findVirtual(segmentType, "copyFrom", MethodType.methodType(segmentType, segmentType))
        .invoke(target, code);
  }

  private Object segment(long at) throws Throwable {
    return lookup
        .findStatic(segmentType, "ofAddress", MethodType.methodType(segmentType, long.class))
        .invoke(at);
  }

  private Object value(String name) throws ReflectiveOperationException {
    return foreign("ValueLayout").getField(name).get(null);
  }

  private Object function(Object result, Object... arguments) throws Throwable {
    Class<?> type = foreign("FunctionDescriptor");
    Object layouts = Array.newInstance(layoutType, arguments.length);
    for (int i = 0; i < arguments.length; i++) {
      Array.set(layouts, i, arguments[i]);
    }
    return lookup
        .findStatic(type, "of", MethodType.methodType(type, layoutType, layouts.getClass()))
        .asFixedArity()
        .invoke(result, layouts);
  }

  private Object critical() throws Throwable {
    return lookup
        .findStatic(optionType, "critical", MethodType.methodType(optionType, boolean.class))
        .invoke(false);
  }

  private MethodHandle downcall(String name, Object function) throws Throwable {
    Class<?> symbols = foreign("SymbolLookup");
    Object known =
        lookup
            .findVirtual(linkerType, "defaultLookup", MethodType.methodType(symbols))
            .invoke(linker);
    Optional<?> found =
        (Optional<?>)
            lookup
                .findVirtual(symbols, "find", MethodType.methodType(Optional.class, String.class))
                .invoke(known, name);
    return downcall(
        found.orElseThrow(() -> new UnusableException("the system has no " + name)), function);
  }

  private MethodHandle downcall(Object segment, Object function, Object... options)
      throws Throwable {
    Object array = Array.newInstance(optionType, options.length);
    for (int i = 0; i < options.length; i++) {
      Array.set(array, i, options[i]);
    }
    MethodHandle link =
        lookup.findVirtual(
            linkerType,
            "downcallHandle",
            MethodType.methodType(
                MethodHandle.class, segmentType, foreign("FunctionDescriptor"), array.getClass()));
    return (MethodHandle) link.asFixedArity().invoke(linker, segment, function, array);
  }

  private static Class<?> foreign(String name) throws ClassNotFoundException {
    return Class.forName("java.lang.foreign." + name);
  }
}
