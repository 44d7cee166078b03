// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.lean;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LateTransformerTest {
  private static final String SELF = LateTransformerTest.class.getName().replace('.', '/');

  private final List<AgentBuilder> made = new ArrayList<>();
  private final List<Throwable> failed = new ArrayList<>();

  @Test
  void transform_otherClasses_makesNothing() throws IOException {
    LateTransformer late = of("a/Wanted", false);
    assertThat(transform(late)).isNull();
    assertThat(made).isEmpty();
  }

  @Test
  void transform_wantedClasses_makesOneBuilderAndWeaves() throws IOException {
    LateTransformer late = of(SELF, false);
    assertThat(transform(late)).isNotNull();
    assertThat(transform(late)).isNotNull();
    assertThat(made).hasSize(1);
  }

  @Test
  void transform_weavingFails_isToldOnceAndClassesStay() throws IOException {
    LateTransformer late = of(SELF, true);
    assertThat(transform(late)).isNull();
    assertThat(transform(late)).isNull();
    assertThat(failed).hasSize(1);
  }

  private LateTransformer of(String wanted, boolean fails) {
    return new LateTransformer(
        (name, loader) -> name.equals(wanted),
        () ->
            LateBuilder.make(
                builder -> {
                  made.add(builder);
                  if (fails) {
                    throw new IllegalStateException("as told");
                  }
                  return builder
                      .type(ElementMatchers.named(LateTransformerTest.class.getName()))
                      .transform((type, description, loader, module, domain) -> type);
                }),
        failed::add);
  }

  /** As if the class were loaded by another class loader than that of the agent. */
  private static byte @Nullable [] transform(LateTransformer late) throws IOException {
    try (InputStream file =
        Objects.requireNonNull(
            LateTransformerTest.class.getResourceAsStream("/" + SELF + ".class"))) {
      return late.transform(
          LateTransformerTest.class.getModule(),
          ClassLoader.getPlatformClassLoader(),
          SELF,
          null,
          LateTransformerTest.class.getProtectionDomain(),
          file.readAllBytes());
    }
  }
}
