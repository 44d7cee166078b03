// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One process, and its counts since it started.
 *
 * @param atMillis the process's own clock when it wrote this
 */
public record ProcessStatus(Identity process, long atMillis, Counts counts) {
  /**
   * The part that does not change while the process runs.
   *
   * @param id random, another in each process: 16 hexadecimal digits
   * @param host the name of its machine or container, as it knows it; may be empty
   */
  public record Identity(
      String id,
      String service,
      List<String> systems,
      Versions versions,
      String host,
      long pid,
      long startedAtMillis) {}

  /** Empty where it has none. */
  public record Versions(String deimos, String pekko, String jdk) {}

  /**
   * Its counts.
   *
   * @param spansNotSent spans of traces that it kept, which had to go before they could be sent
   * @param stuckNow how many messages are stuck
   */
  public record Counts(
      long messages,
      long spansRecorded,
      long spansDropped,
      long actorsLive,
      long heapUsedBytes,
      long heapMaxBytes,
      long spansNotSent,
      long stuckNow) {}

  private static final int MAX_CHARS = 256;
  private static final int MAX_SYSTEMS = 16;

  /** The status of a program that sends OTLP. */
  static ProcessStatus sender(String id, String service, String runtime, long pid, String host) {
    return new ProcessStatus(
        new Identity(id, service, List.of(), new Versions("", "", runtime), host, pid, 0),
        0,
        new Counts(0, 0, 0, 0, 0, 0, 0, 0));
  }

  /** As it is, said at another time. */
  ProcessStatus at(long millis) {
    return new ProcessStatus(process, millis, counts);
  }

  public String id() {
    return process.id;
  }

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream to = new DataOutputStream(bytes)) {
      text(to, process.id);
      text(to, process.service);
      List<String> some = process.systems.subList(0, Math.min(MAX_SYSTEMS, process.systems.size()));
      to.writeByte(some.size());
      for (String system : some) {
        text(to, system);
      }
      text(to, process.versions.deimos);
      text(to, process.versions.pekko);
      text(to, process.versions.jdk);
      text(to, process.host);
      for (long number :
          new long[] {
            process.pid,
            process.startedAtMillis,
            atMillis,
            counts.messages,
            counts.spansRecorded,
            counts.spansDropped,
            counts.actorsLive,
            counts.heapUsedBytes,
            counts.heapMaxBytes,
            counts.spansNotSent,
            counts.stuckNow
          }) {
        to.writeLong(number);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static ProcessStatus of(byte[] bytes) throws IOException {
    DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes));
    String id = text(from);
    String service = text(from);
    List<String> systems = new ArrayList<>();
    for (int i = Math.min(MAX_SYSTEMS, from.readUnsignedByte()); i > 0; i--) {
      systems.add(text(from));
    }
    Versions versions = new Versions(text(from), text(from), text(from));
    Identity process =
        new Identity(
            id,
            service,
            List.copyOf(systems),
            versions,
            text(from),
            from.readLong(),
            from.readLong());
    return new ProcessStatus(
        process,
        from.readLong(),
        new Counts(
            from.readLong(),
            from.readLong(),
            from.readLong(),
            from.readLong(),
            from.readLong(),
            from.readLong(),
            from.readLong(),
            from.readLong()));
  }

  private static void text(DataOutputStream to, String text) throws IOException {
    to.writeUTF(text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) : text);
  }

  private static String text(DataInputStream from) throws IOException {
    String text = from.readUTF();
    return text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) : text;
  }
}
