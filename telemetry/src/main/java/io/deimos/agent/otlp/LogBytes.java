// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.recorder.base.Texts;
import io.deimos.recorder.spans.LogLine;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Log records of a request of OTLP. Each has its text, which is cut, and no other attributes. */
public final class LogBytes {
  private static final int MAX_TEXT = 1000;
  private static final int MAX_NAME = 200;
  private static final long MILLI_NANOS = 1_000_000;
  private static final int TRACE_ID_CHARS = 32;
  private static final int SPAN_ID_CHARS = 16;

  private LogBytes() {}

  /**
   * Reads the records of a request.
   *
   * @param mostParts how many records and values it may have in all
   * @throws IllegalArgumentException if it is no request, or has more
   */
  public static void read(byte[] request, int mostParts, Consumer<LogLine> to) {
    ProtoFields top = ProtoFields.of(request, mostParts);
    while (top.find(1)) {
      String service = Texts.cut(SpanBytes.service(top.inside()), MAX_NAME);
      ProtoFields scopes = top.inside();
      while (scopes.find(2)) {
        String logger = Texts.cut(SpanBytes.scope(scopes.inside()).getName(), MAX_NAME);
        ProtoFields records = scopes.inside();
        while (records.find(2)) {
          to.accept(line(records.inside(), logger, service));
        }
      }
    }
  }

  private static LogLine line(ProtoFields of, String logger, String service) {
    long nanos = 0;
    int severity = 0;
    String text = "";
    String traceId = "";
    String spanId = "";
    String type = "";
    String message = "";
    while (of.next()) {
      if (of.isFixed(1) || (of.isFixed(11) && nanos == 0)) {
        nanos = of.bits();
      } else if (of.isNumber(2)) {
        severity = (int) Math.max(0, Math.min(24, of.number()));
      } else if (of.isMessage(5)) {
        text = value(of.inside());
      } else if (of.isMessage(6)) {
        ProtoFields attribute = of.inside();
        String key = attribute.find(1) ? attribute.text() : "";
        if (key.equals("exception.type") && attribute.find(2)) {
          type = value(attribute.inside());
        } else if (key.equals("exception.message") && attribute.find(2)) {
          message = value(attribute.inside());
        }
      } else if (of.isMessage(9)) {
        traceId = of.hex();
      } else if (of.isMessage(10)) {
        spanId = of.hex();
      }
    }
    boolean traced = traceId.length() == TRACE_ID_CHARS;
    return new LogLine(
        nanos / MILLI_NANOS,
        severity,
        logger,
        text,
        thrown(type, message),
        new LogLine.Place(
            "",
            "",
            service,
            traced ? Long.parseUnsignedLong(traceId.substring(0, SPAN_ID_CHARS), 16) : 0,
            traced ? Long.parseUnsignedLong(traceId.substring(SPAN_ID_CHARS), 16) : 0,
            spanId.length() == SPAN_ID_CHARS ? Long.parseUnsignedLong(spanId, 16) : 0));
  }

  private static @Nullable String thrown(String type, String message) {
    return type.isEmpty() ? null : message.isEmpty() ? type : type + ": " + message;
  }

  private static String value(ProtoFields of) {
    if (!of.next()) {
      return "";
    }
    Object single = SpanBytes.single(of);
    return single == null ? "(not a plain value)" : Texts.cut(single.toString(), MAX_TEXT);
  }
}
