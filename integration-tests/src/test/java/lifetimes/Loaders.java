// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package lifetimes;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code <number> <KiB>}: loads an application in a class loader of its own, runs it to its end and
 * drops the loader, so many times. Prints how many loaders are still there, and by how much the
 * heap has grown since the first one was dropped.
 */
public final class Loaders {
  private static final long PATIENCE_NANOS = 90_000_000_000L;

  private Loaders() {}

  public static void main(String[] args) throws Exception {
    int number = Integer.parseInt(args[0]);
    long before = Heap.kib();
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      loaders.add(runOnce());
      System.out.println("@ran " + i);
    }
    System.out.println("@alive " + alive(loaders) + " of " + number);
    System.out.println("@grown " + Heap.grownKib(before, Long.parseLong(args[1])));
    if (args.length > 2) {
      Thread.sleep(Long.parseLong(args[2])); // for whoever wants to look at the heap
    }
    System.exit(0);
  }

  private static WeakReference<ClassLoader> runOnce() throws Exception {
    List<URL> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      jars.add(Path.of(entry).toUri().toURL());
    }
    URLClassLoader loader =
        new URLClassLoader(jars.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    Throwable[] failure = new Throwable[1];
    Thread thread =
        new Thread(
            () -> {
              try {
                loader.loadClass("lifetimes.Application").getMethod("run").invoke(null);
              } catch (Throwable t) {
                failure[0] = t;
              }
            },
            "application");
    thread.setContextClassLoader(loader);
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw new IllegalStateException(failure[0]);
    }
    loader.close();
    return new WeakReference<>(loader);
  }

  private static int alive(List<WeakReference<ClassLoader>> loaders) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    int alive;
    do {
      System.gc();
      alive = (int) loaders.stream().filter(loader -> loader.get() != null).count();
      Thread.sleep(100);
    } while (alive != 0 && System.nanoTime() < until);
    return alive;
  }
}
