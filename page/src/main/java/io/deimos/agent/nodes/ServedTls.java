// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.http.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/**
 * The certificates of the serving side, from files that are read again when they have changed. If
 * they cannot be used then, those that were read before stay.
 */
public final class ServedTls implements Certificates {
  private final List<Path> files;
  private final Reader reader;
  private final Consumer<String> say;
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile SSLContext current;
  private volatile String stamp;

  /** Reads the files. */
  public interface Reader {
    SSLContext read() throws IOException;
  }

  /**
   * Reads for the first time.
   *
   * @param files without the empty ones
   * @param say told once why files that have changed cannot be used
   */
  public ServedTls(List<String> files, Reader reader, Consumer<String> say) throws IOException {
    this.files = files.stream().filter(file -> !file.isEmpty()).map(Path::of).toList();
    this.reader = reader;
    this.say = say;
    this.stamp = stamp();
    this.current = reader.read();
  }

  @Override
  public SSLContext context() {
    return current;
  }

  /** One thread at a time; others go on at once. */
  @Override
  public void refresh() {
    if (!reading.compareAndSet(false, true)) {
      return;
    }
    try {
      String now = stamp();
      if (!now.equals(stamp)) {
        stamp = now;
        current = reader.read();
      }
    } catch (IOException | RuntimeException e) {
      say.accept(e.getMessage() + ". The certificates that were read before stay in use.");
    } finally {
      reading.set(false);
    }
  }

  /** Changes with each of the files. */
  private String stamp() {
    StringBuilder stamp = new StringBuilder();
    for (Path file : files) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        stamp.append(now.lastModifiedTime()).append(now.size()).append(now.fileKey());
      } catch (IOException e) {
        stamp.append("none");
      }
      stamp.append(' ');
    }
    return stamp.toString();
  }
}
