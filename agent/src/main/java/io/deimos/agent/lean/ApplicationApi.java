// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.lean;

import io.opentelemetry.javaagent.extension.instrumentation.internal.AgentDistributionConfig;
import io.opentelemetry.javaagent.tooling.instrumentation.InstrumentationLoader;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.bytebuddy.agent.builder.AgentBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Has the OpenTelemetry API of an application, if it has one, see the contexts of actors and feed
 * our SDK. The OpenTelemetry agent's own instrumentation of that API does it, the only one of its
 * instrumentations that this form of Deimos has.
 */
public final class ApplicationApi implements ClassFileTransformer {
  private static final String ALL = "io/opentelemetry/";
  private static final String AGENTS = ALL + "javaagent/";

  private final LateTransformer weaving;
  private final HelperClasses helpers;
  private final Consumer<Throwable> failed;

  private ApplicationApi(
      LateTransformer weaving, HelperClasses helpers, Consumer<Throwable> failed) {
    this.weaving = weaving;
    this.helpers = helpers;
    this.failed = failed;
  }

  /**
   * Begins to look for it.
   *
   * @param config the SDK's, once that is there; null if a file configured it
   */
  public static void join(
      Instrumentation instrumentation,
      Supplier<@Nullable ConfigProperties> config,
      Consumer<Throwable> failed) {
    LateTransformer weaving =
        new LateTransformer(
            (name, loader) -> loader != null && name.startsWith(ALL) && !name.startsWith(AGENTS),
            () -> LateBuilder.make(builder -> extend(builder, config)),
            failed);
    instrumentation.addTransformer(
        new ApplicationApi(weaving, new HelperClasses(instrumentation), failed));
  }

  private static AgentBuilder extend(
      AgentBuilder builder, Supplier<@Nullable ConfigProperties> config) {
    ConfigProperties given = config.get();
    ConfigProperties known =
        given == null ? DefaultConfigProperties.createFromMap(Map.of()) : given;
    AgentDistributionConfig.set(AgentDistributionConfig.fromConfigProperties(known));
    return new InstrumentationLoader().extend(builder, known);
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] bytes) {
    byte[] woven = weaving.transform(module, loader, name, redefined, domain, bytes);
    if (woven == null || loader == null) {
      return woven;
    }
    try {
      helpers.putInto(loader);
      return woven;
    } catch (ReflectiveOperationException | IOException | LinkageError e) {
      failed.accept(e);
      return null;
    }
  }
}
