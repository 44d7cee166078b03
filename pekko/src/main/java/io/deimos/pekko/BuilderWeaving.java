// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.pekko.feature.Features;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.function.Consumer;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** The weaving as a part of what an OpenTelemetry agent weaves, by that agent's builder. */
public final class BuilderWeaving {
  private BuilderWeaving() {}

  /**
   * Adds the weaving to an agent builder. The woven code depends on the recorder's configuration,
   * which must be set before.
   *
   * @param problems told, in one sentence each, what could not be woven and why
   * @param apart weaves most of Pekko before the builder sees it, and the mailbox, which the
   *     builder's agent leaves alone; null where that agent has modules of its own for Pekko
   */
  public static AgentBuilder install(
      AgentBuilder builder,
      Consumer<String> problems,
      PekkoWeaver.Choice choice,
      @Nullable Instrumentation apart) {
    List<PekkoWeaver> weavers = PekkoWeaver.weavers(problems, choice);
    AgentBuilder woven = builder;
    if (PekkoWeaver.weavesStages(choice)) {
      woven =
          woven
              .type(ElementMatchers.named(Features.STAGES_TYPE))
              .transform(
                  (type, description, loader, module, domain) ->
                      ClassWeaver.weave(
                          type,
                          weavers.get(0).planOfStages(),
                          description,
                          loader,
                          module,
                          domain));
    }
    for (PekkoWeaver weaver : weavers) {
      FirstLoads first = new FirstLoads(weaver);
      if (apart != null) {
        WovenApart.install(apart, first);
      }
      woven = install(woven, weaver, first);
    }
    return woven;
  }

  private static AgentBuilder install(AgentBuilder builder, PekkoWeaver weaver, FirstLoads first) {
    return builder
        .type(
            (description, loader, module, redefined, domain) ->
                weaver.toolkit().mayHave(description.getName())
                    && !first.has(description.getName(), loader)
                    && weaver.mayWeave(description.getName(), loader, redefined))
        .transform(
            (type, description, loader, module, domain) ->
                ClassWeaver.weave(
                    type,
                    weaver.plan(description.getName(), loader),
                    description,
                    loader,
                    module,
                    domain));
  }
}
