// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.export.StoreProcessor;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JvmEndTest {
  private final List<String> done = new ArrayList<>();
  private final JvmEnd end = new JvmEnd(() -> 0, line -> {});

  @Test
  void run_ofAnSdkThatFailedBefore_leavesTheEndToCome() {
    SdkTracerProvider failed =
        SdkTracerProvider.builder()
            .addSpanProcessor(new StoreProcessor(null, null, end::run))
            .build();
    failed.close();
    install();
    assertThat(done).isEmpty();
    end.run();
    assertThat(done).containsExactly("first", "sdk", "dump");
  }

  @Test
  void run_twice_isDoneOnce() {
    install();
    end.run();
    end.run();
    assertThat(done).containsExactly("first", "sdk", "dump");
  }

  private void install() {
    end.install(
        () -> {
          done.add("sdk");
          return CompletableResultCode.ofSuccess();
        });
    end.first(() -> done.add("first"));
    end.dump(() -> done.add("dump"));
  }
}
