// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Request;
import io.deimos.agent.json.Json;
import io.deimos.agent.log.Printable;
import io.deimos.agent.routes.BadRequest;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.settings.SettingsChange;
import io.deimos.agent.settings.SettingsReading;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code /api/v1/settings}: shows settings, and changes them for who sends the token of
 * this process. That a request is not another web site's has been checked before.
 */
final class SettingsHandler {
  static final String OLD_PATH = "/api/settings";

  private static final String PATH = "/api/v1/settings";
  private static final int MAX_NAME = 64;

  private static final Parameter<List<SearchTerm>> WORDS =
      Parameter.words(
          "q",
          "Words; each has to be part of the setting's name or of what it does. All settings if not"
              + " given.");

  static final Route READ =
      Route.at(
              PATH,
              "settings",
              "Settings, presets, and who changed what",
              "Each setting with its value, where that comes from, what it does and costs, and"
                  + " whether it can change now; the presets; what was changed on the page and"
                  + " holds; and the last changes by anybody.")
          .asks(WORDS)
          .answers(SettingsJson.SCHEMA);

  private static final Parameter<String> KEY =
      Parameter.text("key", "The setting to change. One of key, preset and end has to be given.");
  private static final Parameter<String> VALUE =
      Parameter.text("value", "Its value; empty or not given to take back what was set so.");
  private static final Parameter<String> PRESET =
      Parameter.text("preset", "The preset that begins.");
  private static final Parameter<String> END =
      Parameter.text("end", "The change that ends: its id, or the name of a preset.");
  private static final Parameter<@Nullable Duration> FOR =
      Parameter.read(
          "for",
          "After what time it ends by itself, from 1s to 1d, such as 30s or 5m. If not given, a"
              + " preset says itself, and a setting holds until it is taken back.",
          SettingsHandler::during);
  private static final Parameter<String> WHO =
      Parameter.text(
          "who",
          "The name of the person that makes the change, at most 64 characters. Nobody checks it; it is told.");

  static final Route CHANGE =
      Route.at(
              PATH,
              "change_settings",
              "Changes settings",
              "Sets a setting, begins a preset, or ends either; whole or not at all. It needs the"
                  + " token, and answers what the settings are then.")
          .note(
              "Another parameter is refused, and so is more than one of `key`, `preset`"
                  + " and `end`.")
          .asks(KEY, VALUE, PRESET, END, FOR, WHO)
          .answers(SettingsJson.SCHEMA)
          .changes();

  private final PageAccess access;
  private final @Nullable PageSettings settings;

  /**
   * @param settings null where there are none
   */
  SettingsHandler(PageAccess access, @Nullable PageSettings settings) {
    this.access = access;
    this.settings = settings;
  }

  private static @Nullable Duration during(String text) {
    try {
      return SettingsChange.during(text);
    } catch (IllegalArgumentException e) {
      throw new BadRequest(String.valueOf(e.getMessage()));
    }
  }

  void show(Call call, Answer answer) throws IOException {
    PageSettings shown = settings;
    if (shown == null) {
      answer.error(404, "there are no settings here: this process shows others");
      return;
    }
    List<SearchTerm> words = WORDS.of(call.query());
    String control = control(call.request());
    SettingsReading reading = shown.read();
    answer.json(200, json -> SettingsJson.writeTo(json, reading, control, words));
  }

  /** Writes all settings for a dump, if there are any. */
  void writeTo(Json json) throws IOException {
    PageSettings shown = settings;
    if (shown != null) {
      SettingsJson.writeTo(json.name(OLD_PATH), shown.read(), "off", List.of());
    }
  }

  /** {@code off}, {@code token} if it needs one that was not sent, or {@code on}. */
  private String control(Request request) {
    if (access.control() == PageControl.OFF) {
      return "off";
    }
    return access.isTold(request) ? "on" : "token";
  }

  void change(Call call, Answer answer) throws IOException {
    PageSettings changed = settings;
    if (changed == null) {
      answer.error(404, "there are no settings here: this process shows others");
      return;
    }
    if (access.control() == PageControl.OFF) {
      answer.error(
          403,
          "settings are not changed here: deimos.page.control=off. Use the control file, or start"
              + " with deimos.page.control=token");
      return;
    }
    if (!access.isTold(call.request())) {
      answer.error(
          403,
          "a change needs the token of this process as the header X-Deimos-Token; the line"
              + " \"deimos: page at\" in the application's log says where it is");
      return;
    }
    String refused = changed.change(wanted(call.query()), by(call.query()));
    if (refused != null) {
      answer.error(400, Printable.line(refused));
    } else {
      String control = control(call.request());
      SettingsReading reading = changed.read();
      answer.json(200, json -> SettingsJson.writeTo(json, reading, control, List.of()));
    }
  }

  /** The change that a request wants: one thing, with nothing that belongs to another. */
  private static SettingsChange wanted(Query query) {
    for (String name : query.names()) {
      if (CHANGE.parameters().stream().noneMatch(known -> known.name().equals(name))) {
        throw new BadRequest(
            "there is no parameter "
                + Printable.shortLine(name)
                + "; a change has "
                + String.join(", ", CHANGE.parameters().stream().map(Parameter::name).toList()));
      }
    }
    String key = KEY.of(query);
    String value = VALUE.of(query);
    String preset = PRESET.of(query);
    String end = END.of(query);
    Duration during = FOR.of(query);
    if (Stream.of(key, preset, end).filter(given -> !given.isEmpty()).count() != 1) {
      throw new BadRequest("a change needs one of key, preset and end, and no more than one");
    }
    if (!value.isEmpty() && key.isEmpty()) {
      throw new BadRequest("value belongs to key; a preset has values of its own");
    }
    if (during != null && preset.isEmpty() && value.isEmpty()) {
      throw new BadRequest("for belongs to a value or a preset; what ends now needs none");
    }
    if (!key.isEmpty()) {
      return new SettingsChange.Set(key, value.isEmpty() ? null : value, during);
    }
    return preset.isEmpty()
        ? new SettingsChange.End(end)
        : new SettingsChange.Begin(preset, during);
  }

  private static String by(Query query) {
    String who = WHO.of(query).strip();
    if (who.length() > MAX_NAME) {
      throw new BadRequest("who: must have at most " + MAX_NAME + " characters");
    }
    return who.isEmpty() ? "the page" : "the page (" + Printable.line(who) + ")";
  }

  /** Whether a setting has all the words in its name or in what is said of it. */
  static boolean matches(List<SearchTerm> words, String name, String does) {
    String text = (name + " " + does).toLowerCase(Locale.ROOT);
    return words.stream().allMatch(word -> word.isIn(text));
  }
}
