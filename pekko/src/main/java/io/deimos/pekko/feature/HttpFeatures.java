// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.ContextFields;
import java.util.List;

/** Pekko HTTP, a library of its own: bodies that are streams. */
final class HttpFeatures {
  private static final String MODEL = "org.apache.pekko.http.scaladsl.model.";
  private static final String ENGINE = "org.apache.pekko.http.impl.engine.";
  private static final String SOURCE = "org.apache.pekko.stream.scaladsl.Source";

  /** A body is sent in the context in which it was made. */
  static final Feature HTTP_BODIES =
      Feature.named("HTTP_BODIES")
          .usedWith(ENGINE + "rendering.ResponseRenderingContext")
          .needs(Need.TRACING, Need.STREAMS)
          .in(MODEL + "HttpEntity$Chunked")
          .fields(ContextFields.class)
          .constructor()
          .takes(MODEL + "ContentType", SOURCE)
          .weave("HttpAdvice$Chunked")
          .in(MODEL + "HttpEntity$Default")
          .fields(ContextFields.class)
          .constructor()
          .takes(MODEL + "ContentType", "long", SOURCE)
          .weave("HttpAdvice$OfLength")
          .in(MODEL + "HttpEntity$CloseDelimited")
          .fields(ContextFields.class)
          .constructor()
          .takes(MODEL + "ContentType", SOURCE)
          .weave("HttpAdvice$CloseDelimited")
          .in(MODEL + "HttpEntity$")
          .method("captureTermination")
          .takes(MODEL + "HttpEntity")
          .weave("HttpAdvice$Captured")
          .in(ENGINE + "rendering.ResponseRenderingContext")
          .constructor()
          .takes(
              MODEL + "HttpResponse",
              MODEL + "HttpMethod",
              MODEL + "HttpProtocol",
              ENGINE + "rendering.ResponseRenderingContext$CloseRequested")
          .weave("HttpAdvice$Response")
          .in(ENGINE + "rendering.RequestRenderingContext")
          .constructor()
          .takes(MODEL + "HttpRequest", MODEL + "headers.Host", "scala.Option")
          .weave("HttpAdvice$Request")
          .build();

  /** The same in HTTP/2, which may be a library apart. */
  static final Feature HTTP2_BODIES =
      Feature.named("HTTP2_BODIES")
          .usedWith(ENGINE + "rendering.ResponseRenderingContext")
          .usedWith(ENGINE + "http2.Http2SubStream$")
          .needs(Need.TRACING, Need.STREAMS)
          .in(ENGINE + "http2.Http2SubStream$")
          .method("apply")
          .takes(
              MODEL + "HttpEntity",
              ENGINE + "http2.FrameEvent$ParsedHeadersFrame",
              ENGINE + "http2.FrameEvent$ParsedHeadersFrame",
              "scala.collection.immutable.Map")
          .weave("HttpAdvice$Framed")
          .build();

  static final List<Feature> ALL = List.of(HTTP_BODIES, HTTP2_BODIES);

  private HttpFeatures() {}
}
