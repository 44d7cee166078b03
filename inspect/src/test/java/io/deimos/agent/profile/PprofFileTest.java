// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.profile.ProfileQuery.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PprofFileTest {
  private final FlameTree tree = new FlameTree();

  private ByteBuffer file(Time time) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PprofFile.write(
        new ProfileResult(
            "test", 10, 10, 0, 0, List.of(), tree, new ProfileResult.Unknown(0, 0, 0, 0, 0, 0)),
        time,
        out);
    return ByteBuffer.wrap(out.toByteArray());
  }

  /** The contents of all fields of a number that are messages or strings. */
  private static List<ByteBuffer> fields(ByteBuffer of, int number) {
    ByteBuffer from = of.duplicate();
    List<ByteBuffer> found = new ArrayList<>();
    while (from.hasRemaining()) {
      long tag = varint(from);
      long value = varint(from);
      if ((tag & 7) == 2) {
        ByteBuffer content = from.slice(from.position(), (int) value);
        from.position(from.position() + (int) value);
        if (tag >> 3 == number) {
          found.add(content);
        }
      }
    }
    return found;
  }

  private static long varint(ByteBuffer from) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = from.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private static List<Long> numbers(ByteBuffer packed) {
    List<Long> numbers = new ArrayList<>();
    while (packed.hasRemaining()) {
      numbers.add(varint(packed));
    }
    return numbers;
  }

  private static List<String> strings(ByteBuffer file) {
    return fields(file, 6).stream()
        .map(string -> StandardCharsets.UTF_8.decode(string).toString())
        .toList();
  }

  @Test
  void write_stacksOfWaits_haveTheirNanosecondsAndFramesInnermostFirst() throws IOException {
    tree.add(List.of("a", "b", "lock of c"), 5_000_000_000L);
    tree.add(List.of("a"), 3);
    ByteBuffer file = file(Time.LOCK);
    assertThat(strings(file)).containsExactly("", "lock", "nanoseconds", "a", "b", "lock of c");
    List<ByteBuffer> samples = fields(file, 2);
    assertThat(samples).hasSize(2);
    assertThat(numbers(fields(samples.get(0), 1).get(0))).containsExactly(1L);
    assertThat(numbers(fields(samples.get(0), 2).get(0))).containsExactly(3L);
    assertThat(numbers(fields(samples.get(1), 1).get(0))).containsExactly(3L, 2L, 1L);
    assertThat(numbers(fields(samples.get(1), 2).get(0))).containsExactly(5_000_000_000L);
    assertThat(fields(file, 4)).as("locations").hasSize(3);
    assertThat(fields(file, 5)).as("functions").hasSize(3);
  }

  @Test
  void write_samplesOfTheProcessor_haveTheirNumberAndTime() throws IOException {
    tree.add(List.of("a"), 7);
    ByteBuffer file = file(Time.CPU);
    assertThat(strings(file)).startsWith("", "samples", "count", "cpu", "nanoseconds");
    assertThat(numbers(fields(fields(file, 2).get(0), 2).get(0))).containsExactly(7L, 70_000_000L);
  }
}
