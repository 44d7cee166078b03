// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import org.apache.pekko.http.impl.engine.http2.Http2SubStream$;
import org.apache.pekko.http.impl.engine.rendering.RequestRenderingContext;
import org.apache.pekko.http.impl.engine.rendering.ResponseRenderingContext;
import org.apache.pekko.http.scaladsl.model.HttpEntity;
import org.apache.pekko.http.scaladsl.model.HttpEntity$;

/** Bodies of HTTP messages, each hook by itself: no body is sent for it. */
final class HttpSteps {
  private HttpSteps() {}

  static void run(Steps steps) {
    steps.firesUnmade("HttpEntity$Chunked.<init>", () -> new HttpEntity.Chunked(null, null));
    steps.firesUnmade("HttpEntity$Default.<init>", () -> new HttpEntity.Default(null, 1, null));
    steps.firesUnmade(
        "HttpEntity$CloseDelimited.<init>", () -> new HttpEntity.CloseDelimited(null, null));
    steps.firesUnmade(
        "HttpEntity$.captureTermination", () -> HttpEntity$.MODULE$.captureTermination(null));
    steps.firesUnmade(
        "ResponseRenderingContext.<init>",
        () -> new ResponseRenderingContext(null, null, null, null));
    steps.firesUnmade(
        "RequestRenderingContext.<init>", () -> new RequestRenderingContext(null, null, null));
    steps.firesUnmade(
        "Http2SubStream$.apply",
        () -> Http2SubStream$.MODULE$.apply((HttpEntity) null, null, null, null));
  }
}
