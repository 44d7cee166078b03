// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.observer.TroubleGroup;
import io.deimos.recorder.base.Texts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The trouble of a process, as a frame, within a bound. */
final class TroubleBytes {
  static final int MAX_BYTES = 96 * 1024;

  private static final int MAX_GROUPS = 500;
  private static final int MAX_EXAMPLES = 2;
  private static final int MAX_TEXT = 512;
  private static final int MAX_STACK = 4_000;

  private TroubleBytes() {}

  /** As many groups as fit, from the first; how many do not comes before them. */
  static byte[] write(List<TroubleGroup> groups) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int written = 0;
    for (TroubleGroup group : groups) {
      byte[] bytes = write(group);
      if (written == MAX_GROUPS || all.size() + bytes.length > MAX_BYTES) {
        break;
      }
      all.writeBytes(bytes);
      written++;
    }
    ByteArrayOutputStream frame = new ByteArrayOutputStream(all.size() + 2 * Integer.BYTES);
    try (DataOutputStream to = new DataOutputStream(frame)) {
      to.writeInt(groups.size() - written);
      to.writeInt(written);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    frame.writeBytes(all.toByteArray());
    return frame.toByteArray();
  }

  private static byte[] write(TroubleGroup group) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream to = new DataOutputStream(bytes)) {
      for (String text :
          List.of(
              group.id(), group.kind(), group.actorClass(), group.messageClass(), group.why())) {
        to.writeUTF(Texts.cut(text, MAX_TEXT));
      }
      to.writeLong(group.count());
      to.writeLong(group.firstEpochNanos());
      to.writeLong(group.lastEpochNanos());
      List<TroubleGroup.Example> examples =
          group.examples().subList(0, Math.min(MAX_EXAMPLES, group.examples().size()));
      to.writeByte(examples.size());
      for (TroubleGroup.Example example : examples) {
        to.writeLong(example.epochNanos());
        to.writeUTF(Texts.cut(example.story(), 2 * MAX_TEXT));
        to.writeUTF(Texts.cut(example.actorPath(), MAX_TEXT));
        to.writeUTF(Texts.cut(example.senderPath(), MAX_TEXT));
        to.writeLong(example.traceHi());
        to.writeLong(example.traceLo());
        to.writeLong(example.spanId());
        to.writeUTF(Texts.cut(example.stack(), MAX_STACK));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * @param node the process that says so
   */
  static Told read(byte[] bytes, String node) throws IOException {
    if (bytes.length > MAX_BYTES + 2 * Integer.BYTES) {
      throw new IOException("more trouble than there may be");
    }
    DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes));
    int leftOut = from.readInt();
    int count = from.readInt();
    List<TroubleGroup> groups = new ArrayList<>();
    for (int i = 0; i < count && i < MAX_GROUPS; i++) {
      groups.add(group(from, node));
    }
    return new Told(List.copyOf(groups), Math.max(0, leftOut));
  }

  private static TroubleGroup group(DataInputStream from, String node) throws IOException {
    String id = from.readUTF();
    String kind = from.readUTF();
    String actorClass = from.readUTF();
    String messageClass = from.readUTF();
    String why = from.readUTF();
    long count = from.readLong();
    long first = from.readLong();
    long last = from.readLong();
    List<TroubleGroup.Example> examples = new ArrayList<>();
    for (int i = Math.min(MAX_EXAMPLES, from.readUnsignedByte()); i > 0; i--) {
      examples.add(
          new TroubleGroup.Example(
              from.readLong(),
              from.readUTF(),
              from.readUTF(),
              from.readUTF(),
              from.readLong(),
              from.readLong(),
              from.readLong(),
              from.readUTF()));
    }
    TroubleGroup.Cause cause = new TroubleGroup.Cause(kind, actorClass, messageClass, why);
    return new TroubleGroup(id, node, cause, count, first, last, List.copyOf(examples));
  }

  /**
   * A process's words on its trouble.
   *
   * @param leftOut how many groups more it has
   */
  record Told(List<TroubleGroup> groups, int leftOut) {
    static final Told NOTHING = new Told(List.of(), 0);
  }
}
