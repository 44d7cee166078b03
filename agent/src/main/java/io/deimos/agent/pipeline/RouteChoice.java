// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.pipeline;

import io.deimos.agent.log.Log;
import io.deimos.agent.otlp.OtlpRoute;
import io.deimos.agent.sdk.SdkView;
import io.deimos.agent.settings.ExportWay;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Decides whether spans go to the collector directly or by the SDK, and says which. */
public final class RouteChoice {
  private RouteChoice() {}

  /**
   * The direct way, if the user and the SDK's configuration want it; null to go by the SDK.
   *
   * @param problems told if the user wants the direct way and cannot have it
   */
  public static @Nullable OtlpRoute of(SdkView sdk, ExportWay wanted, Consumer<String> problems) {
    if (sdk.processors().isEmpty()) {
      return null;
    }
    if (wanted == ExportWay.SDK) {
      Log.line("spans of actors are exported by the SDK, as deimos.tracing.export=sdk asks");
      return null;
    }
    try {
      OtlpRoute route = OtlpRoute.of(sdk.processors(), sdk.limits());
      Log.line("spans of actors are exported directly, as OTLP over " + route.protocol());
      return route;
    } catch (OtlpRoute.NotPlainException e) {
      if (wanted == ExportWay.DIRECT) {
        problems.accept(
            "deimos.tracing.export=direct needs one OTLP exporter with protocol http/protobuf"
                + " or grpc behind one batch span processor, but there is: "
                + e.getMessage()
                + "; spans are exported by the SDK. Set otel.exporter.otlp.protocol=http/protobuf,"
                + " or remove the setting");
      } else {
        Log.line("spans of actors are exported by the SDK, because of " + e.getMessage());
      }
      return null;
    }
  }
}
