// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.deimos.agent.settings.LiveSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Shows and changes settings. A change has to come from the page itself: no other site can read the
 * token that it needs, nor send the header that carries it without asking first, which is refused;
 * and where a browser tells the site that asks, that is compared too. The Host header has been
 * looked at before.
 */
final class SettingsHandler {
  private static final String TOKEN = "X-Deimos-Token";
  private static final int TOKEN_BYTES = 16;

  private final Set<String> origins;
  private final PageSettings settings;
  private final String token = random();

  SettingsHandler(Set<String> hosts, PageSettings settings) {
    this.origins = Set.copyOf(hosts.stream().map(host -> "http://" + host).toList());
    this.settings = settings;
  }

  void show(Answer answer) throws IOException {
    answer.json(
        200,
        json -> {
          json.beginObject().name("token").value(token).name("settings").beginArray();
          for (LiveSettings.Line line : settings.all()) {
            json.beginObject()
                .name("key")
                .value(line.name())
                .name("value")
                .value(line.value())
                .name("default")
                .value(line.otherwise())
                .name("values")
                .value(line.wanted())
                .name("choices")
                .beginArray();
            for (String choice : line.choices()) {
              json.value(choice);
            }
            json.endArray()
                .name("does")
                .value(line.does())
                .name("costs")
                .value(line.costs())
                .name("source")
                .value(line.source())
                .name("mayChange")
                .value(line.mayChange())
                .name("changedHere")
                .value(line.isChanged())
                .endObject();
          }
          json.endArray().endObject();
        });
  }

  void change(HttpExchange exchange, Answer answer) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    List<String> origin = headers.getOrDefault("Origin", List.of());
    if (!origins.containsAll(origin.stream().map(o -> o.toLowerCase(Locale.ROOT)).toList())) {
      answer.error(403, "settings are changed from this page only, not from another site");
      return;
    }
    List<String> tokens = headers.getOrDefault(TOKEN, List.of());
    if (tokens.size() != 1 || !isToken(tokens.get(0))) {
      answer.error(403, "a change needs the header " + TOKEN + " with the token of this process");
      return;
    }
    Query query = Query.of(exchange.getRequestURI().getRawQuery());
    String key = query.text("key");
    String value = query.text("value");
    String refused = settings.set(key, value.isEmpty() ? null : value);
    if (refused != null) {
      answer.error(400, refused);
    } else {
      show(answer);
    }
  }

  /** In a time that does not depend on how much of it is right. */
  private boolean isToken(String given) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  private static String random() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
