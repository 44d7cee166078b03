// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.source;

import io.deimos.agent.http.Request;
import io.deimos.agent.nodes.Hmac;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.settings.ScrapeAccess;
import io.deimos.agent.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The readers of the page and of {@code /metrics}, and those who may change settings. The token is
 * random, made anew in each process, and never part of an answer: it is known to who reads the
 * process's log or the file that holds it.
 *
 * @param page who may read the page
 * @param control who may change settings on it
 * @param metrics who may read {@code /metrics}
 */
public record PageAccess(
    PageAccessMode page, PageControl control, PageAccessMode metrics, String token) {
  private static final int TOKEN_BYTES = 16;
  private static final String BEARER = "Bearer ";

  /** As settings ask for, with a new token. */
  public static PageAccess of(Settings settings) {
    return new PageAccess(
        settings.get(Keys.PAGE_ACCESS),
        settings.get(Keys.PAGE_CONTROL),
        metrics(settings),
        random());
  }

  /** Everything with this token, and nothing without. */
  public static PageAccess only(String token, PageControl control) {
    return new PageAccess(PageAccessMode.TOKEN, control, PageAccessMode.OFF, token);
  }

  /** For requests that another page passes on: it says of each who may change what. */
  public static PageAccess passedOn() {
    return new PageAccess(PageAccessMode.OPEN, PageControl.TOKEN, PageAccessMode.OFF, random());
  }

  private static String random() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static PageAccessMode metrics(Settings settings) {
    if (!settings.metrics() || !settings.get(Keys.PROMETHEUS)) {
      return PageAccessMode.OFF;
    }
    return settings.get(Keys.PROMETHEUS_ACCESS) == ScrapeAccess.TOKEN
        ? PageAccessMode.TOKEN
        : PageAccessMode.OPEN;
  }

  /** Whether the token opens anything. */
  public boolean needsToken() {
    return page == PageAccessMode.TOKEN
        || metrics == PageAccessMode.TOKEN
        || (page == PageAccessMode.OPEN && control == PageControl.TOKEN);
  }

  /** Whether there is anything to be served at all. */
  public boolean servesNothing() {
    return page == PageAccessMode.OFF && metrics == PageAccessMode.OFF;
  }

  /** Whether a request carries the token, in the page's header or as scrapers send it. */
  public boolean isTold(Request request) {
    String given = request.only("x-deimos-token");
    if (given == null) {
      String bearer = request.only("authorization");
      given =
          bearer != null && bearer.startsWith(BEARER) ? bearer.substring(BEARER.length()) : null;
    }
    return isToken(given);
  }

  /**
   * By what a client knows, before it sends the token, that it would send it to who knows it.
   *
   * @param host as the client has dialled it, so that no other page's proof is of use here
   * @param number the client's own, as 64 hexadecimal digits
   */
  public String proof(String host, String number) {
    return Hmac.of(token, "page", host, number);
  }

  /** In a time that does not depend on how much of it is right. */
  private boolean isToken(@Nullable String given) {
    return given != null
        && !token.isEmpty()
        && MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return "page " + page + ", control " + control + ", metrics " + metrics;
  }
}
