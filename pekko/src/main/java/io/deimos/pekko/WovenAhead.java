// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.recorder.base.Faults;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * Classes of the Pekkos that Deimos was built with, woven when it was built: for each, what differs
 * from the class as it was. One is taken only for the very class file and the very plan from which
 * it was made; whatever else is loaded, {@link ClassWeaver} weaves.
 *
 * <p><b>Threads.</b> Safe for any.
 */
public final class WovenAhead {
  /** Made by the build, by {@link WeaveAhead}. */
  static final String RESOURCE = "woven-ahead.bin";

  private static final int FORM = 1;

  private static final AtomicInteger FOUND = new AtomicInteger();
  private static final AtomicInteger MADE = new AtomicInteger();

  private static volatile SoftReference<WovenAhead> shared = new SoftReference<>(null);

  private final byte[] bytes;
  private final Map<String, List<Entry>> entries;

  /**
   * One class.
   *
   * @param file the class file that it is made of
   * @param plan what was done to it
   * @param woven the woven class file
   * @param start where its difference begins
   */
  private record Entry(Mark file, int plan, Mark woven, int start) {}

  /** By what bytes are known again: two sums of different kinds, and how many there are. */
  private record Mark(int length, int crc, int adler) {
    static Mark of(byte[] bytes) {
      return new Mark(bytes.length, sum(new CRC32(), bytes), sum(new Adler32(), bytes));
    }

    boolean is(Mark other) {
      return length == other.length && crc == other.crc && adler == other.adler;
    }

    static int sum(Checksum sum, byte[] bytes) {
      sum.update(bytes, 0, bytes.length);
      return (int) sum.getValue();
    }

    static Mark read(DataInputStream in) throws IOException {
      return new Mark(in.readInt(), in.readInt(), in.readInt());
    }

    void write(DataOutputStream out) throws IOException {
      out.writeInt(length);
      out.writeInt(crc);
      out.writeInt(adler);
    }
  }

  private WovenAhead(byte[] bytes, Map<String, List<Entry>> entries) {
    this.bytes = bytes;
    this.entries = entries;
  }

  /** How many classes of this process were woven ahead. */
  public static int found() {
    return FOUND.get();
  }

  /** How many had to be woven here. */
  public static int made() {
    return MADE.get();
  }

  /** Counts a class that was woven here. */
  static void countMade() {
    MADE.incrementAndGet();
  }

  /** The class, woven ahead; null if there is none that fits. */
  static byte @Nullable [] find(String type, byte[] original, Plan plan) {
    byte[] found = null;
    try {
      found = ofJar().woven(type, original, plan);
    } catch (IOException | IndexOutOfBoundsException e) {
      Faults.caught(e);
    }
    if (found != null) {
      FOUND.incrementAndGet();
    }
    return found;
  }

  /** The content of the jar; nothing if it has none. */
  static WovenAhead ofJar() throws IOException {
    WovenAhead known = shared.get();
    if (known == null) {
      try (InputStream in = WovenAhead.class.getResourceAsStream(RESOURCE)) {
        known = in == null ? new WovenAhead(new byte[0], Map.of()) : read(in.readAllBytes());
      }
      shared = new SoftReference<>(known);
    }
    return known;
  }

  static WovenAhead read(byte[] bytes) throws IOException {
    ByteArrayInputStream from = new ByteArrayInputStream(bytes);
    DataInputStream in = new DataInputStream(from);
    int form = in.readInt();
    if (form != FORM) {
      throw new IOException(RESOURCE + " is of form " + form + ", not " + FORM);
    }
    Map<String, List<Entry>> entries = new HashMap<>();
    for (int types = in.readInt(); types > 0; types--) {
      String type = in.readUTF();
      List<Entry> forms = new ArrayList<>();
      for (int n = in.readUnsignedShort(); n > 0; n--) {
        Mark file = Mark.read(in);
        int plan = in.readInt();
        Mark woven = Mark.read(in);
        int length = in.readInt();
        forms.add(new Entry(file, plan, woven, bytes.length - from.available()));
        in.skipNBytes(length);
      }
      entries.put(type, forms);
    }
    return new WovenAhead(bytes, entries);
  }

  /** The class, woven; null if there is none that fits. */
  byte @Nullable [] woven(String type, byte[] original, Plan plan) throws IOException {
    List<Entry> forms = entries.get(type);
    if (forms == null) {
      return null;
    }
    Mark file = Mark.of(original);
    int wanted = mark(plan);
    for (Entry form : forms) {
      if (form.file.is(file) && form.plan == wanted) {
        byte[] woven = ByteDifference.apply(original, bytes, form.start, form.woven.length);
        if (!Mark.of(woven).is(form.woven)) {
          throw new IOException(RESOURCE + " is damaged: " + type);
        }
        return woven;
      }
    }
    return null;
  }

  private static int mark(Plan plan) {
    return Mark.sum(new CRC32(), plan.text().getBytes(StandardCharsets.UTF_8));
  }

  /** The classes of which there are some, with how many of each. */
  Map<String, Integer> types() {
    Map<String, Integer> types = new TreeMap<>();
    entries.forEach((type, forms) -> types.put(type, forms.size()));
    return types;
  }

  /** Gathers classes, and writes what {@link #read} reads. */
  static final class Writer {
    private static final class Form {
      final Mark file;
      final int plan;
      final Mark woven;
      final byte[] difference;

      Form(byte[] original, Plan plan, byte[] woven, byte[] difference) {
        this.file = Mark.of(original);
        this.plan = mark(plan);
        this.woven = Mark.of(woven);
        this.difference = difference;
      }

      boolean isOf(Form other) {
        return file.is(other.file) && plan == other.plan;
      }
    }

    private final Map<String, List<Form>> types = new TreeMap<>();

    /** One class; what is there already, of another version of Pekko, is left out. */
    void add(String type, byte[] original, Plan plan, byte[] woven) {
      byte[] difference = ByteDifference.of(original, woven);
      if (!Arrays.equals(ByteDifference.apply(original, difference, 0, woven.length), woven)) {
        throw new IllegalStateException("the difference of " + type + " is wrong");
      }
      Form form = new Form(original, plan, woven, difference);
      List<Form> forms = types.computeIfAbsent(type, any -> new ArrayList<>());
      if (forms.stream().noneMatch(form::isOf)) {
        forms.add(form);
      }
    }

    void write(OutputStream to) throws IOException {
      DataOutputStream out = new DataOutputStream(to);
      out.writeInt(FORM);
      out.writeInt(types.size());
      for (Map.Entry<String, List<Form>> type : types.entrySet()) {
        out.writeUTF(type.getKey());
        out.writeShort(type.getValue().size());
        for (Form form : type.getValue()) {
          form.file.write(out);
          out.writeInt(form.plan);
          form.woven.write(out);
          out.writeInt(form.difference.length);
          out.write(form.difference);
        }
      }
      out.flush();
    }
  }
}
