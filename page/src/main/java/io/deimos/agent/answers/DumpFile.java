// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.bootstrap.OwnFiles;
import io.deimos.agent.json.Json;
import io.deimos.agent.processes.ClusterHandler;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.TraceStore;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Writes what {@code /api/v1/dump} answers into a file, straight and not in memory. */
public final class DumpFile {
  static final long MAX_BYTES = 64L << 20;

  private static final int BUFFER_BYTES = 8192;

  private final DumpJson dump;
  private final long mostBytes;

  public DumpFile(PageAccess access, PageSource source, TraceStore store) {
    this(access, source, store, MAX_BYTES);
  }

  DumpFile(PageAccess access, PageSource source, TraceStore store, long mostBytes) {
    this.mostBytes = mostBytes;
    dump =
        new DumpJson(
            source,
            store,
            new TroubleHandler(source, store, null),
            new SettingsHandler(access, source.settings()),
            new ClusterHandler(source, store, null)::writeTo,
            Map::of);
  }

  /**
   * Writes one. It has its name once it is whole.
   *
   * @param file not there yet; nobody but this user may read it
   * @throws IOException if it cannot be written, or would be larger than {@value #MAX_BYTES} bytes
   */
  public void write(Path file) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    OutputStream opened = OwnFiles.open(part);
    try {
      try (OutputStream out = new Bounded(opened, mostBytes);
          OutputStream packed = new GZIPOutputStream(out, BUFFER_BYTES)) {
        dump.writeTo(new Json(packed));
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException | Error e) {
      Files.deleteIfExists(part);
      throw e;
    }
  }

  private static final class Bounded extends FilterOutputStream {
    private final long mostBytes;
    private long written;

    Bounded(OutputStream to, long mostBytes) {
      super(to);
      this.mostBytes = mostBytes;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      written += length;
      if (written > mostBytes) {
        throw new IOException("it would be larger than " + mostBytes + " bytes");
      }
      out.write(bytes, from, length);
    }
  }
}
