// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.deimos.agent.budget.Accountant;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Request;
import io.deimos.agent.http.Request.Malformed;
import io.deimos.agent.http.SentAnswer;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.settings.SettingsChange;
import io.deimos.agent.settings.SettingsReading;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageSettings;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.spans.Rare;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Whatever comes in place of a request: it is refused, or gets one answer whose head has nothing of
 * the request in it; nothing of ours fails, and no setting changes without the token.
 */
class RequestFuzzTest {
  private static final int PORT = 9797;
  private static final String TOKEN = "00112233445566778899aabbccddeeff";
  private static final AtomicInteger CHANGES = new AtomicInteger();
  private static final PageHandler HANDLER =
      Asked.handler(
          PORT,
          new PageAccess(PageAccessMode.OPEN, PageControl.TOKEN, PageAccessMode.OPEN, TOKEN),
          new Source(),
          new TraceStore(StoreLimits.of(1, 100)),
          new Accountant(1, 1 << 20));

  @FuzzTest
  void answer_anyBytes_isOneAnswerOrARefusal(byte[] bytes) throws IOException {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    handled(text);
    handled(text.replaceFirst("\r\n", "\r\nHost: 127.0.0.1:" + PORT + "\r\n"));
  }

  private static void handled(String text) throws IOException {
    long faults = Faults.count();
    Request request;
    try {
      request = Request.parse(text);
    } catch (Malformed e) {
      assertThat(e.status()).isBetween(400, 499);
      return;
    }
    Answer answer = HANDLER.handle(request);
    String all = new String(SentAnswer.bytes(answer), StandardCharsets.ISO_8859_1);
    String[] head = all.substring(0, all.indexOf("\r\n\r\n")).split("\r\n", -1);
    assertThat(head[0]).matches("HTTP/1\\.1 (200|400|401|403|404|405|503) [A-Za-z ]+");
    assertThat(head)
        .allMatch(line -> line.chars().allMatch(c -> c >= ' ' && c < 0x7f))
        .filteredOn(line -> line.startsWith("Content-Type: "))
        .hasSize(1);
    boolean toldTheToken = text.contains(TOKEN);
    assertThat(CHANGES.get() == 0 || toldTheToken).isTrue();
    CHANGES.set(0);
    assertThat(Faults.count()).isEqualTo(faults);
  }

  /** The requests of one actor, which has failed once. */
  private static Observer observer() {
    Observer observer = new Observer(1 << 20);
    ActorTelemetry actor = Records.actor("pekko://fuzzed/user/a+b%20c", "test.fuzzed.Actor");
    actor.started();
    Rare rare = new Rare(new IllegalStateException("said"), null, null, null);
    long now = Clock.now();
    new Records(observer).processed(1, 2, 3, 0, now - 5, now, 1_000, actor, actor, rare);
    observer.flush();
    return observer;
  }

  private static final class Source implements QuietSource {
    private final Observer observer = RequestFuzzTest.observer();

    @Override
    public Observer observer() {
      return observer;
    }

    @Override
    public PageSettings settings() {
      return new PageSettings() {
        @Override
        public SettingsReading read() {
          return SettingsReading.empty();
        }

        @Override
        public List<SettingsReading.ChangeLine> presets() {
          return List.of();
        }

        @Override
        public @Nullable String change(SettingsChange change, String by) {
          CHANGES.incrementAndGet();
          return null;
        }
      };
    }
  }
}
