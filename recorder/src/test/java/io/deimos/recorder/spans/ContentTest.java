// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.spans;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.actors.Rules;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.hooks.Woven;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.SpanView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ContentTest {
  private static final int MOST = 10;

  private final ActorTelemetry actor =
      Actors.register("pekko://content/user/a", ActorKinds.of("content", "test.Content", false));

  @AfterEach
  void forget() {
    Recorder.ruleBy(Rules.NONE);
  }

  private static @Nullable String text(Object message, boolean late) {
    return Content.of(message, new ContentRule(late, MOST, null)).text();
  }

  private static @Nullable String redacted(
      Object message, BiFunction<Object, String, @Nullable String> redactor) {
    return Content.of(message, new ContentRule(false, MOST, redactor)).text();
  }

  @Test
  void text_ofAShortMessage_isWhatItPrints() {
    assertThat(text("1234567890", false)).isEqualTo("1234567890");
  }

  @Test
  void text_ofALongMessage_isCutAndSaysHowLongItIs() {
    assertThat(text("12345678901", false)).isEqualTo("1234567890… (11 characters)");
    assertThat(text("123456789\uD83D\uDE00", false)).isEqualTo("123456789… (11 characters)");
  }

  @Test
  void text_early_isWhatTheMessageSaidThen() {
    List<String> message = new ArrayList<>(List.of("a"));
    Content early = Content.of(message, new ContentRule(false, MOST, null));
    Content late = Content.of(message, new ContentRule(true, MOST, null));
    message.add("b");
    assertThat(early.text()).isEqualTo("[a]");
    assertThat(late.text()).isEqualTo("[a, b]");
    message.add("c");
    assertThat(late.text()).as("rendered once").isEqualTo("[a, b]");
  }

  @Test
  void text_toStringFails_saysSoAndIsCounted() {
    long before = Content.unprintable();
    Object message =
        new Object() {
          @Override
          public String toString() {
            throw new StackOverflowError("secret");
          }
        };
    assertThat(text(message, false)).isEqualTo("(toString failed: java.lang.StackOverflowError)");
    assertThat(Content.unprintable()).isEqualTo(before + 1);
  }

  @Test
  void text_redacted_isWhatTheRedactorSays() {
    assertThat(redacted("card 4711", (m, text) -> text.replaceAll("[0-9]", "*")))
        .isEqualTo("card ****");
    assertThat(redacted("card 4711", (m, text) -> null)).isNull();
  }

  @Test
  void text_redactorFails_nothingIsShownAndItIsCounted() {
    long before = Content.unredacted();
    assertThat(
            redacted(
                "secret",
                (m, text) -> {
                  throw new IllegalStateException(text);
                }))
        .isEqualTo("(redactor failed: java.lang.IllegalStateException)");
    assertThat(Content.unredacted()).isEqualTo(before + 1);
  }

  @Test
  void record_ofAMessageWhoseClassIsNamed_hasItsContent() {
    Recorder.ruleBy(
        new Rules() {
          @Override
          public @Nullable ContentRule content(String className) {
            return className.equals("java.lang.String") ? new ContentRule(false, 5, null) : null;
          }
        });
    assertThat(contentOf("hello")).isEqualTo("hello");
    assertThat(contentOf(5)).isNull();
    Recorder.ruleBy(Rules.NONE);
    assertThat(contentOf("hello")).isNull();
  }

  private @Nullable String contentOf(Object message) {
    Lane ring = ThreadState.currentOrNew().lane();
    ring.drain(new SpanView(), view -> {}, 1000);
    Hooks.end(Hooks.begin(actor, Woven.Envelope.sent(), message, null, null));
    AtomicReference<@Nullable String> found = new AtomicReference<>();
    ring.drain(
        new SpanView(),
        view -> {
          Rare rare = view.rare();
          Content content = rare == null ? null : rare.content();
          found.set(content == null ? null : content.text());
        },
        1000);
    return found.get();
  }
}
