// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Body;
import io.deimos.agent.http.Pieces;
import io.deimos.agent.http.Request;
import io.deimos.agent.log.Printable;
import io.deimos.agent.logs.LogBook;
import io.deimos.agent.nodes.Senders;
import io.deimos.agent.otlp.LogBytes;
import io.deimos.agent.otlp.OtlpSignal;
import io.deimos.agent.otlp.SpanBytes;
import io.deimos.agent.store.TraceStore;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Takes OTLP over HTTP, in protobuf or JSON, and what {@link OtlpCalls} takes over gRPC, packed by
 * gzip or not. Spans go to the store, log records to the last ones; of metrics nothing is kept, and
 * who sends them is told how many that were.
 *
 * <p>Requests take turns on a thread of their own. If many wait, the next is answered with 503 and
 * {@code Retry-After} at once, as the protocol has it for a server that is overloaded.
 */
public final class OtlpHandler {
  private static final long MAX_UNPACKED_BYTES = 32 << 20;

  /** A share of the largest heap: what is made of a request takes several times as much. */
  private static final int SHARE_OF_HEAP = 32;

  /** As it comes. */
  public static final int MAX_BODY_BYTES =
      (int) Math.min(8 << 20, Runtime.getRuntime().maxMemory() / (2 * SHARE_OF_HEAP));

  /** The parts of a request take about a tenth of this. */
  private static final int HEAP_OF_A_PART = 1024;

  private static final int MAX_PARTS = 2_000_000;
  private static final int BUFFER_BYTES = 16 * 1024;
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";
  private static final String NOT_KEPT =
      "this page keeps traces and logs only; send this elsewhere too";
  private static final String TURNED_AWAY =
      "without valid ids, or more traces than the page takes (deimos.page.traces-per-second), or"
          + " more spans than it keeps of one trace";

  private final TraceStore store;
  private final @Nullable LogBook logs;
  private final Senders senders;
  private final OtlpCounts counts;
  private final AnswerMemory memory;
  private final long mostUnpackedBytes =
      Math.min(MAX_UNPACKED_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  private final int mostParts =
      (int) Math.min(MAX_PARTS, Runtime.getRuntime().maxMemory() / HEAP_OF_A_PART);

  /**
   * Copying, unpacking and reading takes more room than the bytes that came: one at a time, of all
   * ports.
   */
  private final ReentrantLock one = new ReentrantLock();

  /**
   * @param logs keeps log records; null if none are kept
   * @param counts how much of what comes is taken
   * @param memory what requests are unpacked in
   */
  public OtlpHandler(
      TraceStore store,
      @Nullable LogBook logs,
      Senders senders,
      OtlpCounts counts,
      AnswerMemory memory) {
    this.counts = counts;
    this.logs = logs;
    this.store = store;
    this.senders = senders;
    this.memory = memory;
  }

  public static boolean isFor(String path) {
    return OtlpSignal.at(path) != null;
  }

  public void answer(Request request, Answer answer) throws IOException {
    OtlpSignal signal = OtlpSignal.at(request.path());
    String type = mediaType(request);
    boolean isJson = JSON.equals(type);
    if (!request.method().equals("POST") || signal == null) {
      answer.header("Allow", "POST");
      refuse(request, answer, 405, "OTLP is sent by POST");
    } else if (!isJson && !PROTOBUF.equals(type)) {
      counts.refused("HTTP", "Content-Type " + type);
      refuse(request, answer, 415, "OTLP comes as Content-Type " + PROTOBUF + " or " + JSON);
    } else {
      try {
        byte[] taken = take(signal, isJson, isPacked(request), request.body());
        answer.bytes(200, isJson ? JSON : PROTOBUF, taken);
      } catch (Request.Malformed e) {
        counts.refused("HTTP", e.said());
        refuse(request, answer, e.status(), e.said());
      }
    }
  }

  private static boolean isPacked(Request request) throws Request.Malformed {
    List<String> codings = request.all("content-encoding");
    if (codings.isEmpty() || codings.equals(List.of("identity"))) {
      return false;
    }
    if (!codings.equals(List.of("gzip"))) {
      throw new Request.Malformed(415, "only gzip is unpacked here");
    }
    return true;
  }

  /**
   * Takes a request, whichever way it came.
   *
   * @return the answer
   * @throws Request.Malformed if it cannot be taken, with the status that HTTP has for that
   */
  byte[] take(OtlpSignal signal, boolean isJson, boolean isPacked, Body body)
      throws Request.Malformed {
    one.lock();
    Pieces unpacked = new Pieces(memory);
    try {
      byte[] sent = isPacked ? unpacked(body, unpacked) : body.bytes();
      return take(signal, isJson, isJson ? OtlpSignal.toProtobuf(sent) : sent);
    } catch (IllegalArgumentException e) {
      String why = Printable.shortLine(String.valueOf(e.getMessage()));
      throw new Request.Malformed(400, "this is no request of OTLP: " + why);
    } catch (AnswerMemory.ExceededException e) {
      throw Request.Malformed.noRoom();
    } catch (IOException e) {
      throw new IllegalStateException("nothing is read but from memory", e);
    } finally {
      unpacked.release();
      one.unlock();
    }
  }

  private byte[] take(OtlpSignal signal, boolean isJson, byte[] request) {
    long count = signal.count(request);
    long rejected = count;
    String why = NOT_KEPT;
    if (signal == OtlpSignal.TRACES) {
      List<SpanData> spans = SpanBytes.read(request, senders::resource, mostParts);
      spans.forEach(span -> senders.received(span.getResource()));
      rejected = count - spans.size() + store.receive(spans);
      why = TURNED_AWAY;
      counts.spans(count, rejected);
    } else if (signal == OtlpSignal.LOGS && logs != null) {
      LogBytes.read(request, mostParts, logs::add);
      rejected = 0;
      counts.logs(count);
    } else {
      counts.notKept(count);
    }
    return signal.answer(isJson, rejected, why);
  }

  /** In the format of the request, as the protocol has it. */
  public static void refuse(Request request, Answer answer, int status, String said) {
    if (status == Request.Malformed.BUSY) {
      answer.header("Retry-After", "1");
    }
    if (!PROTOBUF.equals(mediaType(request))) {
      answer.error(status, said);
      return;
    }
    try {
      answer.bytes(status, PROTOBUF, OtlpSignal.refusal(said));
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written but to memory", e);
    }
  }

  private static @Nullable String mediaType(Request request) {
    String type = request.only("content-type");
    return type == null ? null : type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
  }

  private byte[] unpacked(Body packed, Pieces into) throws IOException, Request.Malformed {
    try (InputStream in = new GZIPInputStream(packed.read(), BUFFER_BYTES)) {
      byte[] some = new byte[BUFFER_BYTES];
      for (int read = in.read(some); read >= 0; read = in.read(some)) {
        into.write(some, 0, read);
        if (into.length() > mostUnpackedBytes) {
          throw new Request.Malformed(
              413, "this has more than " + mostUnpackedBytes + " bytes when it is unpacked");
        }
      }
    } catch (ZipException | EOFException e) {
      throw new Request.Malformed(400, "this is no gzip");
    }
    return into.bytes();
  }
}
