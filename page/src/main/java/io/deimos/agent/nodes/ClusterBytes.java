// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.recorder.base.Texts;
import io.deimos.recorder.counts.ClusterLook;
import io.deimos.recorder.counts.Readings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link ClusterCard} as a frame. Its reading is bounded in bytes, in texts and in number. */
final class ClusterBytes {
  static final int MAX_BYTES = 128 * 1024;

  private static final int MAX_TEXT = 256;
  private static final int MAX_VIEWS = 16;
  private static final int MAX_SINGLETONS = 100;
  private static final int MAX_SHARDS = 200;
  private static final int MAX_LINES = 500;
  private static final int MAX_SETTINGS = 200;
  private static final int MAX_HOMES = 400;
  private static final long NOT_KNOWN = -1;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int leftOut;

  private ClusterBytes() {}

  /** As much as there is room for; how much there is not comes last. */
  static byte[] write(ClusterCard card) {
    ClusterBytes to = new ClusterBytes();
    to.leftOut = card.leftOut();
    to.bytes.writeBytes(one(out -> out.writeLong(card.alive().readAtNanos())));
    to.list(card.views(), MAX_VIEWS, ClusterBytes::head);
    for (ClusterLook view : card.views().subList(0, Math.min(MAX_VIEWS, card.views().size()))) {
      to.leftOut += view.leftOut();
      to.list(view.members(), ClusterLook.MAX_MEMBERS, ClusterBytes::member);
      to.list(view.leaders(), ClusterLook.MAX_NAMES + 1, ClusterBytes::leader);
      to.list(view.unreachable(), ClusterLook.MAX_MEMBERS, ClusterBytes::unreachable);
    }
    to.list(card.singletons(), MAX_SINGLETONS, ClusterBytes::singleton);
    to.list(card.shards(), MAX_SHARDS, ClusterBytes::shards);
    to.list(card.heavy(), MAX_SHARDS, ClusterBytes::heavy);
    to.list(card.settings(), MAX_SETTINGS, ClusterBytes::setting);
    to.list(card.lines(), MAX_LINES, ClusterBytes::line);
    to.list(card.alive().homes(), MAX_HOMES, ClusterBytes::home);
    byte[] count = one(out -> out.writeInt(to.leftOut));
    to.bytes.writeBytes(count);
    return to.bytes.toByteArray();
  }

  /** Each with a byte before it, and a zero at the end. */
  private <T> void list(List<T> all, int most, Item<T> item) {
    int written = 0;
    for (T each : all) {
      byte[] next = one(out -> item.write(each, out));
      if (written == most || bytes.size() + next.length > MAX_BYTES - 1024) {
        break;
      }
      bytes.write(1);
      bytes.writeBytes(next);
      written++;
    }
    bytes.write(0);
    leftOut += all.size() - written;
  }

  private static byte[] one(Written written) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      written.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    out.writeUTF(Texts.cut(text, MAX_TEXT));
  }

  private static void texts(DataOutputStream out, List<String> texts) throws IOException {
    List<String> some = texts.subList(0, Math.min(ClusterLook.MAX_NAMES, texts.size()));
    out.writeByte(some.size());
    for (String text : some) {
      text(out, text);
    }
  }

  private static void head(ClusterLook view, DataOutputStream out) throws IOException {
    text(out, view.system());
    text(out, view.self());
    texts(out, view.origins());
  }

  private static void member(ClusterLook.Member member, DataOutputStream out) throws IOException {
    text(out, member.address());
    text(out, member.status());
    text(out, member.dataCenter());
    texts(out, member.roles());
    text(out, member.version());
    out.writeInt(member.order());
  }

  private static void leader(ClusterLook.Leader leader, DataOutputStream out) throws IOException {
    text(out, leader.role());
    text(out, leader.address());
  }

  private static void unreachable(ClusterLook.Unreachable one, DataOutputStream out)
      throws IOException {
    text(out, one.address());
    texts(out, one.from());
  }

  private static void singleton(ClusterCard.Singleton one, DataOutputStream out)
      throws IOException {
    text(out, one.system());
    text(out, one.name());
    out.writeBoolean(one.isHere());
  }

  private static void shards(ClusterCard.Shards one, DataOutputStream out) throws IOException {
    text(out, one.system());
    text(out, one.type());
    out.writeLong(one.shards());
    out.writeLong(one.entities());
    out.writeLong(one.largest());
    out.writeLong(one.buffered());
  }

  private static void heavy(ClusterCard.Heavy one, DataOutputStream out) throws IOException {
    text(out, one.system());
    text(out, one.type());
    text(out, one.shard());
    out.writeLong(one.messages());
  }

  private static void setting(ClusterCard.Setting one, DataOutputStream out) throws IOException {
    text(out, one.key());
    text(out, one.value());
  }

  private static void home(Readings.Home one, DataOutputStream out) throws IOException {
    text(out, one.address());
    text(out, one.type());
    texts(out, one.ids());
  }

  private static void line(ClusterCard.Line one, DataOutputStream out) throws IOException {
    text(out, one.peer());
    ClusterCard.Rate sent = one.sent();
    number(out, sent == null ? null : sent.messages());
    number(out, sent == null ? null : sent.bytes());
    out.writeLong(one.queued());
    out.writeLong(one.dropped() == null ? NOT_KNOWN : one.dropped());
    number(out, one.heartbeatP99Nanos());
    number(out, one.phi());
    number(out, one.batchMean());
    number(out, one.flushP99Nanos());
  }

  /** Not a number if it is not known. */
  private static void number(DataOutputStream out, @Nullable Double number) throws IOException {
    out.writeDouble(number == null ? Double.NaN : number);
  }

  static ClusterCard read(byte[] bytes) throws IOException {
    if (bytes.length > MAX_BYTES) {
      throw new IOException("more of a cluster than there may be");
    }
    DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes));
    long readAtNanos = from.readLong();
    List<ClusterLook> heads =
        list(
            from,
            MAX_VIEWS,
            in ->
                new ClusterLook(text(in), text(in), List.of(), List.of(), List.of(), texts(in), 0));
    List<ClusterLook> views = new ArrayList<>();
    int room = ClusterLook.MAX_MEMBERS;
    for (ClusterLook head : heads) {
      List<ClusterLook.Member> members = list(from, room, ClusterBytes::member);
      room -= members.size();
      views.add(
          new ClusterLook(
              head.system(),
              head.self(),
              members,
              list(
                  from,
                  ClusterLook.MAX_NAMES + 1,
                  in -> new ClusterLook.Leader(text(in), text(in))),
              list(
                  from,
                  ClusterLook.MAX_MEMBERS,
                  in -> new ClusterLook.Unreachable(text(in), texts(in))),
              head.origins(),
              0));
    }
    List<ClusterCard.Singleton> singletons =
        list(
            from,
            MAX_SINGLETONS,
            in -> new ClusterCard.Singleton(text(in), text(in), in.readBoolean()));
    List<ClusterCard.Shards> shards =
        list(
            from,
            MAX_SHARDS,
            in ->
                new ClusterCard.Shards(
                    text(in),
                    text(in),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong()));
    List<ClusterCard.Heavy> heavy =
        list(
            from,
            MAX_SHARDS,
            in -> new ClusterCard.Heavy(text(in), text(in), text(in), in.readLong()));
    List<ClusterCard.Setting> settings =
        list(from, MAX_SETTINGS, in -> new ClusterCard.Setting(text(in), text(in)));
    List<ClusterCard.Line> lines = list(from, MAX_LINES, ClusterBytes::line);
    List<Readings.Home> homes =
        list(from, MAX_HOMES, in -> new Readings.Home(text(in), text(in), texts(in)));
    return new ClusterCard(
        List.copyOf(views),
        singletons,
        shards,
        heavy,
        lines,
        settings,
        new ClusterCard.Alive(readAtNanos, homes),
        Math.max(0, from.readInt()));
  }

  private static ClusterLook.Member member(DataInputStream in) throws IOException {
    return new ClusterLook.Member(text(in), text(in), text(in), texts(in), text(in), in.readInt());
  }

  private static ClusterCard.Line line(DataInputStream in) throws IOException {
    String peer = text(in);
    Double messages = number(in);
    Double bytes = number(in);
    long queued = in.readLong();
    long dropped = in.readLong();
    return new ClusterCard.Line(
        peer,
        messages == null || bytes == null ? null : new ClusterCard.Rate(messages, bytes),
        queued,
        dropped < 0 ? null : dropped,
        number(in),
        number(in),
        number(in),
        number(in));
  }

  private static @Nullable Double number(DataInputStream in) throws IOException {
    double number = in.readDouble();
    return Double.isNaN(number) ? null : number;
  }

  private static <T> List<T> list(DataInputStream from, int most, Read<T> item) throws IOException {
    List<T> all = new ArrayList<>();
    while (from.readByte() != 0) {
      if (all.size() == most) {
        throw new IOException("more of a cluster than there may be");
      }
      all.add(item.from(from));
    }
    return List.copyOf(all);
  }

  private static String text(DataInputStream in) throws IOException {
    return Texts.cut(in.readUTF(), MAX_TEXT);
  }

  private static List<String> texts(DataInputStream in) throws IOException {
    int count = in.readUnsignedByte();
    if (count > ClusterLook.MAX_NAMES) {
      throw new IOException("more names than there may be");
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(text(in));
    }
    return List.copyOf(texts);
  }

  private interface Item<T> {
    void write(T item, DataOutputStream out) throws IOException;
  }

  private interface Written {
    void to(DataOutputStream out) throws IOException;
  }

  private interface Read<T> {
    T from(DataInputStream in) throws IOException;
  }
}
