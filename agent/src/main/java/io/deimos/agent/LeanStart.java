// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.deimos.agent.lean.ApplicationApi;
import io.deimos.agent.lean.SdkLog;
import io.deimos.recorder.base.AgentThread;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.javaagent.bootstrap.AgentStarter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.internal.AutoConfigureUtil;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts Deimos where no OpenTelemetry agent does: in {@code deimos-lean.jar}. It calls what that
 * agent would, in the same order.
 */
public final class LeanStart implements AgentStarter {
  /** However slow the machine is, the application goes on. */
  private static final int MAX_SECONDS = 20;

  private final Instrumentation instrumentation;
  private final CountDownLatch isReady = new CountDownLatch(1);
  private volatile @Nullable AutoConfiguredOpenTelemetrySdk sdk;

  public LeanStart(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  @Override
  public void start() {
    SdkLog.begin();
    DeimosRuntime runtime = DeimosRuntime.beginAlone(this::awaitSdk);
    Runnable late = runtime.weaveAlone(instrumentation);
    if (!runtime.isRunning()) {
      return;
    }
    ApplicationApi.join(
        instrumentation,
        this::config,
        t -> runtime.failed("joining the application's OpenTelemetry API", t));
    // the application need not wait: nothing of this is needed before it has actors
    AgentThread.start("deimos-start", () -> finish(runtime, late));
  }

  private void finish(DeimosRuntime runtime, Runnable late) {
    try {
      late.run();
    } catch (Throwable t) {
      runtime.failed("weaving what comes late", t);
    }
    try {
      AutoConfiguredOpenTelemetrySdk made = sdk();
      sdk = made;
      runtime.sdkReady(made);
    } catch (Throwable t) {
      OpenTelemetrySdk instead = runtime.sdkFailed(t);
      if (instead != null) {
        GlobalOpenTelemetry.set(instead);
      }
    } finally {
      isReady.countDown();
    }
  }

  private void awaitSdk() {
    try {
      boolean unused = isReady.await(MAX_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable ConfigProperties config() {
    awaitSdk();
    AutoConfiguredOpenTelemetrySdk ready = sdk;
    return ready == null ? null : AutoConfigureUtil.getConfig(ready);
  }

  private AutoConfiguredOpenTelemetrySdk sdk() {
    AutoConfiguredOpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .setServiceClassLoader(getExtensionClassLoader())
            .addResourceCustomizer((resource, config) -> resource.merge(distribution()))
            .build();
    GlobalOpenTelemetry.set(sdk.getOpenTelemetrySdk());
    return sdk;
  }

  /** The OpenTelemetry agent says this of itself elsewhere. */
  private static Resource distribution() {
    String version = LeanStart.class.getPackage().getImplementationVersion();
    return Resource.builder()
        .put("telemetry.distro.name", "deimos-lean")
        .put("telemetry.distro.version", version == null ? "unknown" : version)
        .build();
  }

  @Override
  public boolean delayStart() {
    return false;
  }

  @Override
  public ClassLoader getExtensionClassLoader() {
    return LeanStart.class.getClassLoader();
  }
}
