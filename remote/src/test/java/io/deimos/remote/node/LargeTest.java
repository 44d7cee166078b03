// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.serialization.JSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large messages whose connections end in the middle of them. */
class LargeTest {
  private static final int LARGEST = 2_000_000;
  private static final String LARGE =
      """
      pekko {
        actor {
          serializers.blobs = "io.deimos.remote.node.LargeTest$Blobs"
          serialization-bindings { "io.deimos.remote.node.LargeTest$Blob" = blobs }
        }
        remote.artery {
          large-message-destinations = ["/user/receiver"]
          advanced.maximum-large-frame-size = 4 MiB
        }
      }
      """;

  @BeforeEach
  void forget() {
    Blobs.SPOILT.clear();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connection_cutInsideLargeFrames_othersAreReadWhole(boolean oursSends) throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", oursSends ? Node.OURS : Node.STOCK, FaultTest.QUICK, LARGE);
        Node b = Node.start("b", Node.OURS, FaultTest.QUICK, LARGE, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      int[] sent = {0};
      for (int i = 0; i < 6; i++) {
        proxy.cutAfter(2L * LARGEST + random.nextInt(3 * LARGEST));
        proxy.cutAll();
        int cuts = proxy.cuts.size();
        Node.await(
            "a cut, seed " + seed,
            () -> {
              there.tell(next(sent, random), ActorRef.noSender());
              return proxy.cuts.size() > cuts;
            });
      }
      proxy.cutAfter(-1);
      proxy.cutAll();
      int marker = sent[0];
      Node.await(
          "traffic again, seed " + seed,
          () -> {
            there.tell(next(sent, random), ActorRef.noSender());
            return b.received.stream()
                    .filter(message -> message instanceof Blob blob && blob.number() > marker)
                    .count()
                > 20;
          });
      assertThat(b.received).as("seed %d", seed).doesNotHaveDuplicates();
      assertThat(Blobs.SPOILT).as("seed %d", seed).isEmpty();
    }
  }

  /** Few bytes, or so many that a buffer of its own is worth it. */
  private static Blob next(int[] sent, Random random) {
    int bytes =
        random.nextInt(3) == 0 ? random.nextInt(1000) : LARGEST / 2 + random.nextInt(LARGEST / 2);
    return new Blob(sent[0]++, bytes);
  }

  record Blob(int number, int bytes) {}

  /** Makes bytes that are like no other message's, and looks whether they have come so. */
  public static final class Blobs extends JSerializer {
    static final List<String> SPOILT = new CopyOnWriteArrayList<>();

    @Override
    public int identifier() {
      return 4713;
    }

    @Override
    public boolean includeManifest() {
      return false;
    }

    @Override
    public byte[] toBinary(Object message) {
      Blob blob = (Blob) message;
      byte[] bytes = new byte[Integer.BYTES + blob.bytes()];
      new SplittableRandom(blob.number()).nextBytes(bytes);
      ByteBuffer.wrap(bytes).putInt(blob.number());
      return bytes;
    }

    @Override
    public Object fromBinaryJava(byte[] bytes, Class<?> manifest) {
      Blob blob = new Blob(ByteBuffer.wrap(bytes).getInt(), bytes.length - Integer.BYTES);
      if (!Arrays.equals(bytes, toBinary(blob))) {
        SPOILT.add(blob.toString());
      }
      return blob;
    }
  }
}
