// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.clock;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A module with one class, which alone is given native access. The JVM's warning of native access
 * is the user's to see where it is the user's code that calls; so it is not switched off for all
 * code, and nothing is asked of the command line.
 */
final class NativeModule {
  private static final String NAME = "io.deimos.clock";
  private static final String CALLER = NativeCaller.class.getName();
  private static final String PACKAGE = NativeCaller.class.getPackageName();

  private NativeModule() {}

  /** Members that may link native code, in the name of the module. */
  static MethodHandles.Lookup lookup(Instrumentation instrumentation) throws Throwable {
    Module ours = NativeModule.class.getModule();
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of(),
        Map.of("java.lang", Set.of(ours)),
        Set.of(),
        Map.of());
    Class<?> caller = define();
    MethodHandle enable =
        MethodHandles.privateLookupIn(Module.class, MethodHandles.lookup())
            .findVirtual(
                Module.class, "implAddEnableNativeAccess", MethodType.methodType(Module.class));
    enable.invoke(caller.getModule());
    return (MethodHandles.Lookup) caller.getMethod("lookup").invoke(null);
  }

  private static Class<?> define() throws ClassNotFoundException {
    ModuleDescriptor descriptor = ModuleDescriptor.newModule(NAME).exports(PACKAGE).build();
    ModuleReference reference =
        new ModuleReference(descriptor, URI.create("deimos:clock")) {
          @Override
          public ModuleReader open() {
            return new CallerReader();
          }
        };
    Configuration configuration =
        ModuleLayer.boot()
            .configuration()
            .resolve(new OneModule(reference), ModuleFinder.of(), Set.of(NAME));
    return ModuleLayer.defineModulesWithOneLoader(
            configuration, List.of(ModuleLayer.boot()), ClassLoader.getPlatformClassLoader())
        .layer()
        .findLoader(NAME)
        .loadClass(CALLER);
  }

  private record OneModule(ModuleReference reference) implements ModuleFinder {
    @Override
    public Optional<ModuleReference> find(String name) {
      return name.equals(NAME) ? Optional.of(reference) : Optional.empty();
    }

    @Override
    public Set<ModuleReference> findAll() {
      return Set.of(reference);
    }
  }

  /** Finds the bytes of the one class where those of this class are. */
  private static final class CallerReader implements ModuleReader {
    @Override
    public Optional<URI> find(String name) {
      return Optional.empty();
    }

    @Override
    public Optional<ByteBuffer> read(String name) throws IOException {
      if (!name.equals(CALLER.replace('.', '/') + ".class")) {
        return Optional.empty();
      }
      try (InputStream in = NativeModule.class.getResourceAsStream("NativeCaller.class")) {
        return in == null ? Optional.empty() : Optional.of(ByteBuffer.wrap(in.readAllBytes()));
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }

    @Override
    public Stream<String> list() {
      return Stream.of(CALLER.replace('.', '/') + ".class");
    }

    @Override
    public void close() {}
  }
}
