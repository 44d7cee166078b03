// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Weaves the classes of several Pekkos in each way in which they may be woven, and writes {@link
 * WovenAhead}. A part of the build.
 */
final class WeaveAhead {
  /** The fate of each class. */
  interface Use {
    void woven(String type, byte[] original, Plan plan, byte[] woven) throws IOException;
  }

  private WeaveAhead() {}

  /**
   * Writes a file.
   *
   * @param arguments the file; then, for each Pekko, its class path, or a folder of jars
   */
  public static void main(String[] arguments) throws IOException {
    WovenAhead.Writer writer = new WovenAhead.Writer();
    for (String classPath : List.of(arguments).subList(1, arguments.length)) {
      weave(classPath, writer::add);
    }
    Path file = Path.of(arguments[0]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (OutputStream out = Files.newOutputStream(file)) {
      writer.write(out);
    }
  }

  /** Weaves all that there is of the Pekko on a class path. */
  static void weave(String classPath, Use use) throws IOException {
    try (URLClassLoader pekko =
        new URLClassLoader(urls(classPath), ClassLoader.getPlatformClassLoader())) {
      PekkoWeaver weaver =
          new PekkoWeaver(
              Toolkit.PEKKO,
              problem -> {
                // an older Pekko lacks some methods; what it has is woven
              },
              new PekkoWeaver.Choice(false, 0, false, true, true, true, true));
      ClassFiles files = ClassFiles.of(pekko);
      ClassLoader all = new Surroundings(pekko);
      for (String type : new TreeSet<>(Toolkit.PEKKO.byType().keySet())) {
        byte[] original = files.read(type);
        if (original != null) {
          for (Plan plan : weaver.plans(type, pekko)) {
            use.woven(type, original, plan, ClassWeaver.weave(type, original, plan, all, null));
          }
        }
      }
    }
  }

  private static URL[] urls(String classPath) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String name : classPath.split(File.pathSeparator, -1)) {
      Path file = Path.of(name);
      files.add(file);
      if (Files.isDirectory(file)) {
        try (Stream<Path> jars = Files.list(file)) {
          jars.filter(jar -> jar.toString().endsWith(".jar")).sorted().forEach(files::add);
        }
      }
    }
    List<URL> urls = new ArrayList<>();
    for (Path file : files) {
      urls.add(url(file));
    }
    return urls.toArray(new URL[0]);
  }

  private static URL url(Path file) throws MalformedURLException {
    return file.toUri().toURL();
  }

  /**
   * A Pekko with the classes that its methods' parameters are of, wherever they are: of the
   * libraries that this module is compiled with, or else made up. Nothing that is woven depends on
   * what is in them.
   */
  private static final class Surroundings extends ClassLoader {
    private static final String SUFFIX = ".class";

    Surroundings(ClassLoader pekko) {
      super(pekko);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
      InputStream in = super.getResourceAsStream(name);
      if (in == null) {
        in = WeaveAhead.class.getClassLoader().getResourceAsStream(name);
      }
      return in == null && name.endsWith(SUFFIX)
          ? new ByteArrayInputStream(madeUp(name.substring(0, name.length() - SUFFIX.length())))
          : in;
    }

    private static byte[] madeUp(String name) {
      ClassWriter writer = new ClassWriter(0);
      writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
      writer.visitEnd();
      return writer.toByteArray();
    }
  }
}
