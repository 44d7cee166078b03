// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.span.PlainSpan;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.common.InstrumentationScopeInfoBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Spans as requests of OTLP, and back. The result takes no more than a small multiple of its bytes:
 * each span, event, link and attribute has bytes of its own, and lists of values are one level
 * deep.
 */
public final class SpanBytes {
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");
  private static final int FLAG_SAMPLED = 1;
  private static final int FLAG_REMOTE_KNOWN = 0x100;
  private static final int FLAG_REMOTE = 0x200;

  private SpanBytes() {}

  /** A request with these spans. Each attribute that a record has is written out. */
  public static byte[] write(List<SpanData> spans) {
    ByteArrayOutputStream to = new ByteArrayOutputStream(512 * spans.size());
    try {
      TraceRequestMarshaler.create(spans).writeBinaryTo(to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return to.toByteArray();
  }

  /**
   * The spans of a request that have valid ids.
   *
   * @param resource what they are said to come from, whatever the request says
   * @throws IllegalArgumentException if it is no request
   */
  public static List<SpanData> read(byte[] request, Resource resource) {
    return read(request, said -> resource, Integer.MAX_VALUE);
  }

  /**
   * The spans of a request that have valid ids.
   *
   * @param resource makes what they come from of what the request says of it
   * @param mostParts how many spans, events, links, attributes and values it may have in all
   * @throws IllegalArgumentException if it is no request, or has more
   */
  public static List<SpanData> read(
      byte[] request, Function<Attributes, Resource> resource, int mostParts) {
    List<SpanData> spans = new ArrayList<>();
    ProtoFields top = ProtoFields.of(request, mostParts);
    while (top.find(RequestFrame.RESOURCE_SPANS)) {
      Resource from = resource.apply(resource(top.inside()));
      ProtoFields inside = top.inside();
      while (inside.find(RequestFrame.SCOPE_SPANS)) {
        InstrumentationScopeInfo scope = scope(inside.inside());
        ProtoFields some = inside.inside();
        while (some.find(RequestFrame.SPANS)) {
          SpanData span = span(some.inside(), scope, from);
          if (span.getSpanContext().isValid()) {
            spans.add(span);
          }
        }
      }
    }
    return spans;
  }

  private static Attributes resource(ProtoFields of) {
    AttributesBuilder said = Attributes.builder();
    if (of.find(1)) {
      ProtoFields resource = of.inside();
      while (resource.find(1)) {
        attribute(resource.inside(), said);
      }
    }
    return said.build();
  }

  /** The name of the service; empty if the request does not say it. */
  static String service(ProtoFields of) {
    String said = resource(of).get(SERVICE);
    return said == null ? "" : said;
  }

  static InstrumentationScopeInfo scope(ProtoFields of) {
    String name = "";
    String version = "";
    String schema = "";
    while (of.next()) {
      if (of.isMessage(1)) {
        ProtoFields scope = of.inside();
        while (scope.next()) {
          if (scope.isMessage(1)) {
            name = scope.text();
          } else if (scope.isMessage(2)) {
            version = scope.text();
          }
        }
      } else if (of.isMessage(3)) {
        schema = of.text();
      }
    }
    InstrumentationScopeInfoBuilder scope = InstrumentationScopeInfo.builder(name);
    if (!version.isEmpty()) {
      scope.setVersion(version);
    }
    if (!schema.isEmpty()) {
      scope.setSchemaUrl(schema);
    }
    return scope.build();
  }

  private static SpanData span(ProtoFields of, InstrumentationScopeInfo scope, Resource resource) {
    PlainSpan.Builder span = new PlainSpan.Builder(scope, resource);
    String name = "";
    SpanKind kind = SpanKind.INTERNAL;
    long start = 0;
    long end = 0;
    String traceId = TraceId.getInvalid();
    String spanId = SpanId.getInvalid();
    String parentId = SpanId.getInvalid();
    AttributesBuilder attributes = Attributes.builder();
    List<EventData> events = new ArrayList<>(0);
    List<LinkData> links = new ArrayList<>(0);
    long flags = 0;
    while (of.next()) {
      if (of.isMessage(1)) {
        traceId = of.hex();
      } else if (of.isMessage(2)) {
        spanId = of.hex();
      } else if (of.isMessage(4)) {
        parentId = of.hex();
      } else if (of.isMessage(5)) {
        name = of.text();
      } else if (of.isNumber(6)) {
        kind = kind(of.number());
      } else if (of.isFixed(7)) {
        start = of.bits();
      } else if (of.isFixed(8)) {
        end = of.bits();
      } else if (of.isMessage(9)) {
        attribute(of.inside(), attributes);
      } else if (of.isMessage(11)) {
        events.add(event(of.inside()));
      } else if (of.isMessage(13)) {
        links.add(link(of.inside()));
      } else if (of.isMessage(15)) {
        span.status(status(of.inside()));
      } else if (of.isFixed(16)) {
        flags = of.bits();
      }
    }
    span.named(name, kind);
    span.lasted(start, end);
    // Without the bits that say so, a parent may be anywhere.
    boolean remote = (flags & FLAG_REMOTE_KNOWN) == 0 || (flags & FLAG_REMOTE) != 0;
    span.in(context(traceId, spanId, false), context(traceId, parentId, remote));
    return span.build(attributes.build(), events, links);
  }

  private static SpanKind kind(long number) {
    return switch ((int) Math.max(0, Math.min(number, 6))) {
      case 2 -> SpanKind.SERVER;
      case 3 -> SpanKind.CLIENT;
      case 4 -> SpanKind.PRODUCER;
      case 5 -> SpanKind.CONSUMER;
      default -> SpanKind.INTERNAL;
    };
  }

  private static SpanContext context(String traceId, String spanId, boolean remote) {
    if (!TraceId.isValid(traceId) || !SpanId.isValid(spanId)) {
      return SpanContext.getInvalid();
    }
    TraceFlags flags = TraceFlags.fromByte((byte) FLAG_SAMPLED);
    return remote
        ? SpanContext.createFromRemoteParent(traceId, spanId, flags, TraceState.getDefault())
        : SpanContext.create(traceId, spanId, flags, TraceState.getDefault());
  }

  private static EventData event(ProtoFields of) {
    long nanos = 0;
    String name = "";
    AttributesBuilder attributes = Attributes.builder();
    while (of.next()) {
      if (of.isFixed(1)) {
        nanos = of.bits();
      } else if (of.isMessage(2)) {
        name = of.text();
      } else if (of.isMessage(3)) {
        attribute(of.inside(), attributes);
      }
    }
    return EventData.create(nanos, name, attributes.build());
  }

  private static LinkData link(ProtoFields of) {
    String traceId = TraceId.getInvalid();
    String spanId = SpanId.getInvalid();
    AttributesBuilder attributes = Attributes.builder();
    while (of.next()) {
      if (of.isMessage(1)) {
        traceId = of.hex();
      } else if (of.isMessage(2)) {
        spanId = of.hex();
      } else if (of.isMessage(4)) {
        attribute(of.inside(), attributes);
      }
    }
    return LinkData.create(context(traceId, spanId, false), attributes.build());
  }

  private static StatusData status(ProtoFields of) {
    String message = "";
    long code = 0;
    while (of.next()) {
      if (of.isMessage(2)) {
        message = of.text();
      } else if (of.isNumber(3)) {
        code = of.number();
      }
    }
    return switch ((int) code) {
      case 1 -> StatusData.ok();
      case 2 -> StatusData.create(StatusCode.ERROR, message);
      default -> StatusData.unset();
    };
  }

  private static void attribute(ProtoFields of, AttributesBuilder to) {
    String key = "";
    while (of.next()) {
      if (of.isMessage(1)) {
        key = of.text();
      } else if (of.isMessage(2) && !key.isEmpty()) {
        value(key, of.inside(), to);
      }
    }
  }

  private static void value(String key, ProtoFields of, AttributesBuilder to) {
    while (of.next()) {
      if (of.isMessage(5)) {
        to.put(AttributeKey.stringArrayKey(key), texts(of.inside()));
      } else {
        put(key, single(of), to);
      }
    }
  }

  private static void put(String key, @Nullable Object single, AttributesBuilder to) {
    if (single instanceof String text) {
      to.put(key, text);
    } else if (single instanceof Boolean truth) {
      to.put(key, truth);
    } else if (single instanceof Long number) {
      to.put(key, number);
    } else if (single instanceof Double number) {
      to.put(key, number);
    }
  }

  /** The value of the field that is read, if it is a text, a truth or a number. */
  static @Nullable Object single(ProtoFields of) {
    if (of.isMessage(1)) {
      return of.text();
    }
    if (of.isNumber(2)) {
      return of.number() != 0;
    }
    if (of.isNumber(3)) {
      return of.number();
    }
    return of.isFixed(4) ? Double.longBitsToDouble(of.bits()) : null;
  }

  /** The values of a list, as text. */
  private static List<String> texts(ProtoFields of) {
    List<String> texts = new ArrayList<>();
    while (of.find(1)) {
      ProtoFields value = of.inside();
      while (value.next()) {
        Object single = single(value);
        if (single != null) {
          texts.add(single.toString());
        }
      }
    }
    return texts;
  }
}
