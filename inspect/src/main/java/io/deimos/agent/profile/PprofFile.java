// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.agent.profile.ProfileQuery.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A profile as pprof reads it: the fields of its {@code profile.proto}, unpacked. A frame is a
 * location and a function of the same number, from 1 on.
 */
public final class PprofFile {
  private static final int SAMPLE_TYPE = 1;
  private static final int SAMPLE = 2;
  private static final int LOCATION = 4;
  private static final int FUNCTION = 5;
  private static final int STRING_TABLE = 6;
  private static final int TIME_NANOS = 9;
  private static final int DURATION_NANOS = 10;
  private static final int LOCATION_LINE = 4;

  private final List<String> strings = new ArrayList<>(List.of(""));
  private final FlameTree tree;
  private final Time time;

  private PprofFile(FlameTree tree, Time time) {
    this.tree = tree;
    this.time = time;
  }

  /** Writes all that was asked for. */
  public static void write(ProfileResult result, Time time, OutputStream to) throws IOException {
    new PprofFile(result.tree(), time).write(result.seconds(), to);
  }

  private void write(double seconds, OutputStream to) throws IOException {
    boolean ofSamples = time == Time.CPU;
    if (ofSamples) {
      message(to, SAMPLE_TYPE, type("samples", "count"));
    }
    message(to, SAMPLE_TYPE, type(time.word(), time == Time.ALLOCATION ? "bytes" : "nanoseconds"));
    for (int node = 0; node < tree.size(); node++) {
      long self = tree.self(node);
      if (self > 0) {
        long[] values = ofSamples ? new long[] {self, self * Seen.PERIOD_NANOS} : new long[] {self};
        message(to, SAMPLE, new Message().packed(1, locations(node)).packed(2, values));
      }
    }
    for (int frame = 0; frame < tree.frames().size(); frame++) {
      int id = frame + 1;
      Message line = new Message().number(1, id);
      message(to, LOCATION, new Message().number(1, id).bytes(LOCATION_LINE, line.content()));
      message(to, FUNCTION, new Message().number(1, id).number(2, text(tree.frames().get(frame))));
    }
    Message last = new Message();
    strings.forEach(string -> last.bytes(STRING_TABLE, string.getBytes(StandardCharsets.UTF_8)));
    long nanos = (long) (seconds * 1e9);
    last.number(TIME_NANOS, System.currentTimeMillis() * 1_000_000 - nanos);
    last.number(DURATION_NANOS, nanos);
    to.write(last.content());
  }

  /** The innermost first. */
  private long[] locations(int node) {
    List<Integer> stack = new ArrayList<>(tree.stack(node));
    Collections.reverse(stack);
    return stack.stream().mapToLong(frame -> frame + 1).toArray();
  }

  private Message type(String name, String unit) {
    return new Message().number(1, text(name)).number(2, text(unit));
  }

  private int text(String text) {
    strings.add(text);
    return strings.size() - 1;
  }

  private static void message(OutputStream to, int field, Message message) throws IOException {
    to.write(new Message().bytes(field, message.content()).content());
  }

  /** Fields of protobuf. */
  private static final class Message {
    private static final int LENGTH_DELIMITED = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Message number(int field, long value) {
      varint(tag(field, 0));
      varint(value);
      return this;
    }

    Message bytes(int field, byte[] value) {
      varint(tag(field, LENGTH_DELIMITED));
      varint(value.length);
      out.writeBytes(value);
      return this;
    }

    Message packed(int field, long... values) {
      Message packed = new Message();
      for (long value : values) {
        packed.varint(value);
      }
      return bytes(field, packed.content());
    }

    private static long tag(int field, int type) {
      return ((long) field << 3) | type;
    }

    private void varint(long value) {
      long left = value;
      while ((left & ~0x7fL) != 0) {
        out.write((int) left | 0x80);
        left >>>= 7;
      }
      out.write((int) left);
    }

    byte[] content() {
      return out.toByteArray();
    }
  }
}
