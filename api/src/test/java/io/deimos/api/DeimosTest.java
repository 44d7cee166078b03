// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.ActorTags;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** Without an agent. */
class DeimosTest {
  private static final InstrumentSettings OFF = InstrumentSettings.create().withTracing(false);

  @Test
  void instrument_classic_addsOneTagAndKeepsTheOthers() {
    Props props = Props.empty().withActorTags("mine");
    Props once = Deimos.instrument(props, OFF);
    Props twice = Deimos.instrument(once, InstrumentSettings.create().withChildren(true));
    assertThat(tags(once)).containsExactlyInAnyOrder("mine", "deimos{tracing=off,}");
    assertThat(tags(twice)).containsExactlyInAnyOrder("mine", "deimos{children=inherit,}");
  }

  @Test
  void instrument_typed_keepsTagsAndDispatcher() {
    org.apache.pekko.actor.typed.Props props =
        Deimos.instrument(
            ActorTags.create("mine").withNext(DispatcherSelector.fromConfig("slow")), OFF);
    assertThat(((ActorTags) props).getTags())
        .containsExactlyInAnyOrder("mine", "deimos{tracing=off,}");
    assertThat(props.next()).isEqualTo(DispatcherSelector.fromConfig("slow"));
  }

  @Test
  void tag_everythingSaid_hasItAll() {
    assertThat(
            InstrumentSettings.create()
                .withTracing(true)
                .withMetrics(false)
                .withStartTraces(false)
                .withSampling(0.25)
                .withMessageEvents(false)
                .withLifecycle(true)
                .withoutMessages("com.acme.*$Beat", "Tick")
                .withOnlyMessages("com.acme.*")
                .withChildren(true)
                .tag())
        .isEqualTo(
            "deimos{tracing=on,metrics=off,start-traces=only-inside-existing,sampling=0.25,"
                + "message-events=off,lifecycle=on,messages-never=[\"com.acme.*$Beat\",\"Tick\"],"
                + "messages-only=[\"com.acme.*\"],children=inherit,}");
  }

  @Test
  void withSampling_notAShare_isRefused() {
    assertThatThrownBy(() -> InstrumentSettings.create().withSampling(1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sampling share 1.5 is not in [0, 1]");
  }

  @Test
  void withoutMessages_noName_isRefused() {
    assertThatThrownBy(() -> InstrumentSettings.create().withoutMessages("a}b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'a}b' is not a class name, which may have * in it for any letters");
  }

  @Test
  void test_ofAFilter_asksIt() {
    TraceFilter filter = (message, alreadyInTrace) -> alreadyInTrace;
    assertThat(filter.test("m", true)).isTrue();
    assertThat(filter.test("m", false)).isFalse();
  }

  private static Set<String> tags(Props props) {
    return CollectionConverters.asJava(props.deploy().tags());
  }
}
