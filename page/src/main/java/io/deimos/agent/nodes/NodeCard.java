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
 * The identity of one process, and its counts since it started.
 *
 * @param id random, another in each process: 16 hexadecimal digits
 * @param host the name of its machine or container, as it knows it; may be empty
 * @param atMillis the process's own clock when it wrote this
 * @param spansNotSent spans of traces that it kept, which had to go before they could be sent
 * @param stuckNow how many messages are stuck
 */
public record NodeCard(
    String id,
    String service,
    List<String> systems,
    String version,
    String pekkoVersion,
    String jdk,
    String host,
    long pid,
    long startedAtMillis,
    long atMillis,
    long messages,
    long spansRecorded,
    long spansDropped,
    long actorsLive,
    long heapUsedBytes,
    long heapMaxBytes,
    long spansNotSent,
    long stuckNow) {
  private static final int MAX_CHARS = 256;
  private static final int MAX_SYSTEMS = 16;

  /** The card of a program that sends OTLP. */
  static NodeCard sender(String id, String service, String runtime, long pid, String host) {
    return new NodeCard(
        id, service, List.of(), "", "", runtime, host, pid, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** The same, said at another time. */
  NodeCard at(long millis) {
    return new NodeCard(
        id,
        service,
        systems,
        version,
        pekkoVersion,
        jdk,
        host,
        pid,
        startedAtMillis,
        millis,
        messages,
        spansRecorded,
        spansDropped,
        actorsLive,
        heapUsedBytes,
        heapMaxBytes,
        spansNotSent,
        stuckNow);
  }

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream to = new DataOutputStream(bytes)) {
      text(to, id);
      text(to, service);
      List<String> some = systems.subList(0, Math.min(MAX_SYSTEMS, systems.size()));
      to.writeByte(some.size());
      for (String system : some) {
        text(to, system);
      }
      text(to, version);
      text(to, pekkoVersion);
      text(to, jdk);
      text(to, host);
      for (long number :
          new long[] {
            pid,
            startedAtMillis,
            atMillis,
            messages,
            spansRecorded,
            spansDropped,
            actorsLive,
            heapUsedBytes,
            heapMaxBytes,
            spansNotSent,
            stuckNow
          }) {
        to.writeLong(number);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static NodeCard of(byte[] bytes) throws IOException {
    DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes));
    String id = text(from);
    String service = text(from);
    List<String> systems = new ArrayList<>();
    for (int i = Math.min(MAX_SYSTEMS, from.readUnsignedByte()); i > 0; i--) {
      systems.add(text(from));
    }
    return new NodeCard(
        id,
        service,
        List.copyOf(systems),
        text(from),
        text(from),
        text(from),
        text(from),
        from.readLong(),
        from.readLong(),
        from.readLong(),
        from.readLong(),
        from.readLong(),
        from.readLong(),
        from.readLong(),
        from.readLong(),
        from.readLong(),
        from.readLong(),
        from.readLong());
  }

  private static void text(DataOutputStream to, String text) throws IOException {
    to.writeUTF(text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) : text);
  }

  private static String text(DataInputStream from) throws IOException {
    String text = from.readUTF();
    return text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) : text;
  }
}
