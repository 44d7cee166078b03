// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;

/**
 * The resource's {@code telemetry.distro.*} where {@code deimos.jar} or {@code deimos-lean.jar}
 * runs. The OpenTelemetry agent takes the version from its manifest, which has a text for readers
 * of logs: {@code deimos 0.1.0 (OpenTelemetry agent 2.33.1)}.
 */
final class Distribution {
  static final AttributeKey<String> NAME = AttributeKey.stringKey("telemetry.distro.name");
  static final AttributeKey<String> VERSION = AttributeKey.stringKey("telemetry.distro.version");

  private static final String UPSTREAM = "opentelemetry-java-instrumentation";
  private static final String OURS = "deimos ";

  private Distribution() {}

  /** The resource with our name and the version alone; as it is where the jar is not ours. */
  static Resource namedIn(Resource resource) {
    String text = resource.getAttribute(VERSION);
    if (text == null || !text.startsWith(OURS)) {
      return resource;
    }
    String rest = text.substring(OURS.length());
    int end = rest.indexOf(' ');
    String name = resource.getAttribute(NAME);
    return resource.toBuilder()
        .put(VERSION, end < 0 ? rest : rest.substring(0, end))
        .put(NAME, name == null || name.equals(UPSTREAM) ? "deimos" : name)
        .build();
  }
}
