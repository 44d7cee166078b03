// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package frameworks;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs {@link Application} twice, in class loaders that are not those of the class path. */
public final class Loading {
  private static final String APPLICATION = "frameworks.Application";
  private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

  private Loading() {}

  /** {@code <class path> <class path>}. */
  public static void main(String[] args) throws Exception {
    two(args[0], args[1]);
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
