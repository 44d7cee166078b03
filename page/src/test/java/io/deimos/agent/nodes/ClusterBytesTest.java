// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.recorder.counts.ClusterLook;
import io.deimos.recorder.counts.Readings;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClusterBytesTest {
  private static ClusterLook.Member member(int number) {
    return new ClusterLook.Member(
        "pekko://shop@127.0.0.1:" + number, "up", "default", List.of("web", "cart"), "1.2", number);
  }

  private static ClusterCard card(int members, int lines) {
    return new ClusterCard(
        List.of(
            new ClusterLook(
                "shop",
                "pekko://shop@127.0.0.1:1",
                IntStream.rangeClosed(1, members).mapToObj(ClusterBytesTest::member).toList(),
                List.of(
                    new ClusterLook.Leader("", "pekko://shop@127.0.0.1:1"),
                    new ClusterLook.Leader("web", "pekko://shop@127.0.0.1:2")),
                List.of(
                    new ClusterLook.Unreachable(
                        "pekko://shop@127.0.0.1:3", List.of("pekko://shop@127.0.0.1:1"))),
                List.of("pekko://shop@127.0.0.1:1"),
                0)),
        List.of(new ClusterCard.Singleton("shop", "stock", true)),
        List.of(new ClusterCard.Shards("shop", "carts", 3, 40, 20, 1)),
        List.of(new ClusterCard.Heavy("shop", "carts", "7", 1000)),
        IntStream.rangeClosed(1, lines)
            .mapToObj(
                i ->
                    new ClusterCard.Line(
                        "pekko://shop@127.0.0.1:" + i,
                        new ClusterCard.Rate(i, 2),
                        3,
                        null,
                        null,
                        0.5,
                        1.5,
                        7.0))
            .toList(),
        List.of(new ClusterCard.Setting("deimos.page.port", "täxt")),
        new ClusterCard.Alive(
            7,
            List.of(
                new Readings.Home("pekko://shop@127.0.0.1:1", "carts", List.of("3", "4")),
                new Readings.Home("pekko://shop@127.0.0.1:1", "", List.of("/user/stock")))),
        0);
  }

  @Test
  void card_writtenAndRead_isTheSame() throws IOException {
    ClusterCard card = card(3, 2);
    assertThat(ClusterBytes.read(ClusterBytes.write(card))).isEqualTo(card);
  }

  @Test
  void card_ofALargeCluster_hasABoundAndSaysWhatIsMissing() throws IOException {
    byte[] bytes = ClusterBytes.write(card(5_000, 5_000));
    assertThat(bytes.length).isLessThanOrEqualTo(ClusterBytes.MAX_BYTES);
    ClusterCard read = ClusterBytes.read(bytes);
    int members = read.views().get(0).members().size();
    assertThat(members).isPositive();
    assertThat(read.leftOut()).isEqualTo(5_000 - members + 5_000 - read.lines().size());
    assertThat(ClusterBytes.read(ClusterBytes.write(card(100, 99))).leftOut())
        .as("a cluster of 100 nodes has room")
        .isZero();
  }

  /** As many as are read at most, with names as long as are told. */
  @Test
  void card_ofVeryManyShards_hasABoundAndSaysWhatIsMissing() throws IOException {
    List<Readings.Home> homes =
        Collections.nCopies(
            125,
            new Readings.Home(
                "pekko://shop@127.0.0.1:1", "carts", Collections.nCopies(16, "x".repeat(200))));
    ClusterCard few = card(3, 2);
    ClusterCard many =
        new ClusterCard(
            few.views(),
            few.singletons(),
            few.shards(),
            few.heavy(),
            few.lines(),
            few.settings(),
            new ClusterCard.Alive(7, homes),
            0);
    byte[] bytes = ClusterBytes.write(many);
    assertThat(bytes.length).isLessThanOrEqualTo(ClusterBytes.MAX_BYTES);
    ClusterCard read = ClusterBytes.read(bytes);
    assertThat(read.lines()).as("all else has its room").isEqualTo(few.lines());
    assertThat(read.alive().homes()).isNotEmpty();
    assertThat(read.leftOut()).isEqualTo(125 - read.alive().homes().size());
  }

  @Test
  void read_moreThanThereMayBe_isRefused() throws IOException {
    assertThatThrownBy(() -> ClusterBytes.read(new byte[ClusterBytes.MAX_BYTES + 1]))
        .isInstanceOf(IOException.class);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(7);
    for (int i = 0; i < 17; i++) {
      out.writeByte(1);
      out.writeUTF("system");
      out.writeUTF("address");
      out.writeByte(0);
    }
    assertThatThrownBy(() -> ClusterBytes.read(bytes.toByteArray()))
        .hasMessageContaining("more of a cluster than there may be");
  }

  /** Whatever it is, it is read within its bounds, or refused. */
  @Test
  void read_brokenBytes_isRefusedOrBounded() {
    byte[] good = ClusterBytes.write(card(20, 20));
    long seed = 20261125;
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      byte[] bad = Arrays.copyOf(good, 1 + random.nextInt(good.length));
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      try {
        ClusterCard card = ClusterBytes.read(bad);
        assertThat(card.leftOut()).as("seed %d, %d", seed, i).isNotNegative();
        assertThat(card.views()).hasSizeLessThanOrEqualTo(16);
      } catch (IOException e) {
        // refused
      }
    }
  }
}
