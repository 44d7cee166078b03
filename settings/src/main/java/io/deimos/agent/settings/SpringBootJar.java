// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Finds the application's own files in a jar or war of Spring Boot. They are in a folder of it,
 * which its launcher shows to the application in a class loader that is not there yet when the JVM
 * starts. Libraries inside the jar are left alone.
 */
final class SpringBootJar extends ClassLoader {
  /**
   * The directories that the launcher itself reads: {@code BOOT-INF/classes/} or {@code
   * WEB-INF/classes/}.
   */
  private static final String FOLDER = "Spring-Boot-Classes";

  private final File jar;
  private final String folder;

  private SpringBootJar(File jar, String folder, ClassLoader parent) {
    super(parent);
    this.jar = jar;
    this.folder = folder;
  }

  /**
   * A class loader that finds the same as {@code loader}, and the files in the jar of Spring Boot
   * if that is the class path.
   */
  static ClassLoader over(ClassLoader loader, String classPath) {
    if (classPath.isEmpty() || classPath.contains(File.pathSeparator)) {
      return loader;
    }
    File file = new File(classPath).getAbsoluteFile();
    String folder = file.isFile() ? folder(file) : null;
    return folder == null ? loader : new SpringBootJar(file, folder, loader);
  }

  private static @Nullable String folder(File file) {
    try (JarFile jar = new JarFile(file)) {
      Manifest manifest = jar.getManifest();
      return manifest == null ? null : manifest.getMainAttributes().getValue(FOLDER);
    } catch (IOException e) {
      return null; // the JVM will say what is wrong with it
    }
  }

  @Override
  protected @Nullable URL findResource(String name) {
    try (JarFile opened = new JarFile(jar)) {
      return opened.getEntry(folder + name) == null
          ? null
          : new URL(null, "jar:" + jar.toURI() + "!/" + folder + name, new Uncached());
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    URL found = findResource(name);
    return Collections.enumeration(found == null ? List.of() : List.of(found));
  }

  /** Leaves no open file behind, as a connection does that the JDK keeps for the next one. */
  private static final class Uncached extends URLStreamHandler {
    @Override
    protected URLConnection openConnection(URL url) throws IOException {
      URLConnection connection = plain(url).openConnection();
      connection.setUseCaches(false);
      return connection;
    }

    private static URL plain(URL url) throws MalformedURLException {
      return new URL(url.toExternalForm());
    }
  }
}
