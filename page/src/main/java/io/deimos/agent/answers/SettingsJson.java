// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.settings.SettingLine;
import io.deimos.agent.settings.SettingsReading;
import io.deimos.agent.settings.SettingsReading.ChangeEntry;
import io.deimos.agent.settings.SettingsReading.ChangeLine;
import io.deimos.agent.settings.SettingsReading.PresetLine;
import java.io.IOException;
import java.util.List;

/** Writes the answers of {@code /api/v1/settings}. */
final class SettingsJson {
  private static final Schema LEFT =
      Schema.whole("In how many milliseconds it ends by itself; null for never.").orNull();

  private static final Schema SETTING =
      Schema.named("Setting", "One setting.")
          .with("key", Schema.text("Its name."))
          .with("value", Schema.text("Its value now."))
          .with("default", Schema.text("Its value if nobody says."))
          .with("values", Schema.text("Its possible values, in words."))
          .with("choices", Schema.list(Schema.text(""), "All values, if they are few."))
          .with("does", Schema.text("Its effect."))
          .with("costs", Schema.text("Its cost."))
          .with("source", Schema.text("Where its value comes from."))
          .with("mayChange", Schema.flag("Whether the page can change it now."))
          .with("changedHere", Schema.flag("Whether it was changed on the page."))
          .with("preset", Schema.text("The preset that its value comes from.").orNull())
          .with("leftMillis", LEFT);

  private static final Schema HELD =
      Schema.named("PresetSetting", "A preset's value of a setting.")
          .with("key", Schema.text("The setting."))
          .with(
              "rule",
              Schema.oneOf(
                  List.of("set", "at most", "add"),
                  "set to this value; at most this one, so that a stricter one stays; or added to"
                      + " a table."))
          .with("value", Schema.text("The value."))
          .with("now", Schema.text("The setting's value now."))
          .with("then", Schema.text("Its value if the preset began now."));

  private static final Schema PRESET =
      Schema.named("Preset", "Settings that are changed together.")
          .with("name", Schema.text("Its name in requests."))
          .with("title", Schema.text("Its name for people."))
          .with("does", Schema.text("Its effect."))
          .with("costs", Schema.text("Its cost."))
          .with(
              "forMillis",
              Schema.whole("How long it holds if nobody says; null for until it is ended.")
                  .orNull())
          .with("settings", Schema.list(HELD, "Its value of each setting."))
          .with("refused", Schema.text("Why it cannot begin now.").orNull());

  static final Schema CHANGE =
      Schema.named("PageChange", "A change made on the page that holds.")
          .with("id", Schema.text("Its number, to end it by."))
          .with("preset", Schema.text("The preset.").orNull())
          .with("key", Schema.text("The setting.").orNull())
          .with("value", Schema.text("Its value.").orNull())
          .with("sinceMillis", Schema.whole("Since when."))
          .with("leftMillis", LEFT)
          .with("by", Schema.text("The name that its maker gave."));

  private static final Schema ENTRY =
      Schema.named("SettingsEntry", "An action of somebody.")
          .with("atMillis", Schema.whole("When."))
          .with("by", Schema.text("Who, in their own words."))
          .with("what", Schema.text("What."))
          .with(
              "settings",
              Schema.list(
                  Schema.named("ChangedSetting", "A setting whose value changed.")
                      .with("key", Schema.text("The setting."))
                      .with("from", Schema.text("Its value before."))
                      .with("to", Schema.text("Its value after.")),
                  "The settings whose values changed; it may be none."))
          .with("leftOut", Schema.whole("How many more there were."));

  static final Schema SCHEMA =
      Schema.named("Settings", "The settings of this process.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with(
              "control",
              Schema.oneOf(
                  List.of("off", "token", "on"),
                  "Whether they can be changed by who asks: off for nobody, token for who sends"
                      + " it."))
          .with("settings", Schema.list(SETTING, "The settings."))
          .with("presets", Schema.list(PRESET, "The presets."))
          .with(
              "changes",
              Schema.list(CHANGE, "The changes that hold, a later one over an earlier one."))
          .with(
              "history",
              Schema.list(
                  ENTRY,
                  "The last 100 changes by anybody, the latest first. The control file is in"
                      + " it where it changed a value; what was done here is in it whether or not a"
                      + " value changed."));

  private SettingsJson() {}

  /**
   * @param control whether they can be changed
   * @param words that each setting has to have
   */
  static void writeTo(Json json, SettingsReading reading, String control, List<SearchTerm> words)
      throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("control").value(control);
    json.name("settings").beginArray();
    for (SettingLine line : reading.settings()) {
      if (SettingsHandler.matches(words, line.name(), line.does())) {
        setting(json, line);
      }
    }
    json.endArray();
    json.name("presets").objects(reading.presets(), SettingsJson::preset);
    changes(json.name("changes"), reading.changes());
    json.name("history").objects(reading.history(), SettingsJson::entry).endObject();
  }

  private static void setting(Json json, SettingLine line) throws IOException {
    json.beginObject();
    json.name("key").value(line.name());
    json.name("value").value(line.value());
    json.name("default").value(line.otherwise());
    json.name("values").value(line.wanted());
    json.name("choices").values(line.choices());
    json.name("does").value(line.does());
    json.name("costs").value(line.costs());
    json.name("source").value(line.source());
    json.name("mayChange").value(line.mayChange());
    json.name("changedHere").value(line.isChanged());
    json.name("preset").orNull(line.preset());
    json.name("leftMillis").value(line.leftMillis());
    json.endObject();
  }

  private static void preset(Json json, PresetLine preset) throws IOException {
    json.name("name").value(preset.name());
    json.name("title").value(preset.title());
    json.name("does").value(preset.does());
    json.name("costs").value(preset.costs());
    json.name("forMillis").value(preset.forMillis());
    json.name("settings")
        .objects(
            preset.holds(),
            (to, held) -> {
              to.name("key").value(held.key());
              to.name("rule").value(held.rule());
              to.name("value").value(held.value());
              to.name("now").value(held.now());
              to.name("then").value(held.then());
            });
    json.name("refused").orNull(preset.refused());
  }

  static void changes(Json json, List<ChangeLine> changes) throws IOException {
    json.objects(
        changes,
        (to, change) -> {
          to.name("id").value(Long.toString(change.number()));
          to.name("preset").orNull(change.preset());
          to.name("key").orNull(change.key());
          to.name("value").orNull(change.value());
          to.name("sinceMillis").value(change.sinceMillis());
          to.name("leftMillis").value(change.leftMillis());
          to.name("by").value(change.by());
        });
  }

  private static void entry(Json json, ChangeEntry entry) throws IOException {
    json.name("atMillis").value(entry.atMillis());
    json.name("by").value(entry.by());
    json.name("what").value(entry.what());
    json.name("settings")
        .objects(
            entry.changed(),
            (to, one) -> {
              to.name("key").value(one.key());
              to.name("from").value(one.from());
              to.name("to").value(one.to());
            });
    json.name("leftOut").value(entry.leftOut());
  }
}
