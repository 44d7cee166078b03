// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;
import org.junit.jupiter.api.Test;

class DistributionTest {
  private static Resource resource(String name, String version) {
    return Resource.create(
        Attributes.of(Distribution.NAME, name, Distribution.VERSION, version), "a-schema");
  }

  @Test
  void namedIn_ourJar_hasOurNameAndTheVersionAlone() {
    assertThat(
            Distribution.namedIn(
                resource(
                    "opentelemetry-java-instrumentation",
                    "deimos 0.1.0 (OpenTelemetry agent 2.33.1)")))
        .isEqualTo(resource("deimos", "0.1.0"));
  }

  @Test
  void namedIn_leanJar_keepsItsName() {
    assertThat(
            Distribution.namedIn(
                resource("deimos-lean", "deimos 0.1.0 (OpenTelemetry agent 2.33.1)")))
        .isEqualTo(resource("deimos-lean", "0.1.0"));
  }

  @Test
  void namedIn_agentOfOthers_staysAsItIs() {
    Resource others = resource("opentelemetry-java-instrumentation", "2.33.1");
    assertThat(Distribution.namedIn(others)).isSameAs(others);
    assertThat(Distribution.namedIn(Resource.empty())).isSameAs(Resource.empty());
  }
}
