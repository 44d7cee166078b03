// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteDifferenceTest {
  private static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] applied(byte[] from, byte[] difference, int length) {
    return ByteDifference.apply(from, difference, 0, length);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 1000, 70_000})
  void apply_toTheSameBytes_areTheSame(int length) {
    byte[] bytes = random(new Random(length), length);
    byte[] difference = ByteDifference.of(bytes, bytes);
    assertThat(applied(bytes, difference, length)).isEqualTo(bytes);
    assertThat(difference.length).isLessThanOrEqualTo(14);
  }

  @Test
  void apply_partsLeftOutMovedAndPutThere_areAsTheyWereMeant() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      byte[] from = random(random, random.nextInt(3000));
      ByteArrayOutputStream to = new ByteArrayOutputStream();
      for (int parts = random.nextInt(12); parts > 0; parts--) {
        if (random.nextBoolean() || from.length == 0) {
          to.writeBytes(random(random, random.nextInt(300)));
        } else {
          int start = random.nextInt(from.length);
          to.write(from, start, random.nextInt(from.length - start));
        }
      }
      byte[] wanted = to.toByteArray();
      byte[] difference = ByteDifference.of(from, wanted);
      assertThat(applied(from, difference, wanted.length)).as("seed %d", seed).isEqualTo(wanted);
    }
  }

  @Test
  void apply_amongOthers_readsFromItsStart() {
    byte[] from = random(new Random(1), 100);
    byte[] to = random(new Random(2), 50);
    byte[] difference = ByteDifference.of(from, to);
    byte[] all = new byte[difference.length + 20];
    System.arraycopy(difference, 0, all, 13, difference.length);
    assertThat(ByteDifference.apply(from, all, 13, to.length)).isEqualTo(to);
  }

  @Test
  void apply_toOtherBytes_isRefused() {
    byte[] from = random(new Random(1), 1000);
    byte[] difference = ByteDifference.of(from, from);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> applied(new byte[10], difference, from.length));
  }
}
