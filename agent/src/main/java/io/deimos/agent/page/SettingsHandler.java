// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.log.Printable;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.settings.SettingLine;
import java.io.IOException;

/**
 * Shows settings, and changes them for who sends the token of this process. That a request is not
 * another web site's has been checked before.
 */
final class SettingsHandler {
  private final PageAccess access;
  private final PageSettings settings;

  SettingsHandler(PageAccess access, PageSettings settings) {
    this.access = access;
    this.settings = settings;
  }

  void show(Request request, Answer answer) throws IOException {
    String control = control(request);
    answer.json(200, json -> writeTo(json, control));
  }

  /**
   * Writes all settings.
   *
   * @param control whether they can be changed
   */
  void writeTo(Json json, String control) throws IOException {
    json.beginObject().name("control").value(control).name("settings").beginArray();
    for (SettingLine line : settings.all()) {
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
  }

  /** {@code off}, {@code token} if it needs one that was not sent, or {@code on}. */
  private String control(Request request) {
    if (access.control() == PageControl.OFF) {
      return "off";
    }
    return access.isTold(request) ? "on" : "token";
  }

  void change(Request request, Answer answer) throws IOException {
    if (access.control() == PageControl.OFF) {
      answer.error(
          403,
          "settings are not changed here: deimos.page.control=off. Use the control file, or start"
              + " with deimos.page.control=token");
      return;
    }
    if (!access.isTold(request)) {
      answer.error(
          403,
          "a change needs the token of this process as the header X-Deimos-Token; the line"
              + " \"deimos: page at\" in the application's log says where it is");
      return;
    }
    Query query = Query.of(request.query());
    String value = query.text("value");
    String refused = settings.set(query.text("key"), value.isEmpty() ? null : value);
    if (refused != null) {
      answer.error(400, Printable.line(refused));
    } else {
      show(request, answer);
    }
  }
}
