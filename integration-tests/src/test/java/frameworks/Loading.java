// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package frameworks;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Runs {@link Application} in class loaders that are not those of the class path. */
public final class Loading {
  private static final String APPLICATION = "frameworks.Application";
  private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private Loading() {}

  /**
   * {@code two <class path> <class path>}, {@code layered <class path> <class path>}, or {@code
   * modules <module> <module path>}.
   */
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "two" -> two(args[1], args[2]);
      case "layered" -> layered(args[1], args[2]);
      default -> modules(args[1], args[2]);
    }
    System.exit(0);
  }

  /** Two applications at once, each with its own Pekko, until there is a line of input. */
  private static void two(String first, String second) throws Exception {
    Runnable endFirst = start(loader(JDK, first), "first");
    Runnable endSecond = start(loader(JDK, second), "second");
    System.in.read();
    endFirst.run();
    endSecond.run();
  }

  /** Loads often used things above seldom used ones, until there is a line of input. */
  private static void layered(String above, String below) throws Exception {
    Runnable end = start(loader(loader(JDK, above), below), "layered");
    System.in.read();
    end.run();
  }

  /**
   * A layer of modules, until there is a line of input. Then it is let go, and this says whether it
   * is collected.
   */
  private static void modules(String root, String path) throws Exception {
    Runnable end = start(moduleLoader(root, path), "modules");
    System.in.read();
    end.run();
    WeakReference<ClassLoader> loader = new WeakReference<>(end.getClass().getClassLoader());
    end = null;
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (loader.get() != null && System.nanoTime() < until) {
      System.gc();
      Thread.sleep(100);
    }
    System.out.println(loader.get() == null ? "@collected" : "@kept");
  }

  private static ClassLoader moduleLoader(String root, String path) {
    ModuleLayer boot = ModuleLayer.boot();
    ModuleFinder finder = ModuleFinder.of(entries(path).map(Path::of).toArray(Path[]::new));
    Configuration modules =
        boot.configuration().resolveAndBind(finder, ModuleFinder.of(), Set.of(root));
    return boot.defineModulesWithOneLoader(modules, JDK).findLoader(root);
  }

  /** On a thread that has the loader, as launchers do it. */
  private static Runnable start(ClassLoader loader, String name) throws Exception {
    Object[] result = new Object[1];
    Thread thread =
        new Thread(
            () -> {
              try {
                Class<?> application = loader.loadClass(APPLICATION);
                result[0] = application.getMethod("start", String.class).invoke(null, name);
              } catch (ReflectiveOperationException | LinkageError e) {
                result[0] = e;
              }
            },
            name);
    thread.setContextClassLoader(loader);
    thread.start();
    thread.join();
    if (result[0] instanceof Throwable failure) {
      throw new IllegalStateException(name + " did not start", failure);
    }
    return (Runnable) result[0];
  }

  private static URLClassLoader loader(ClassLoader parent, String path) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : entries(path).toList()) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), parent);
  }

  private static Stream<String> entries(String path) {
    return Stream.of(path.split(File.pathSeparator, -1));
  }
}
