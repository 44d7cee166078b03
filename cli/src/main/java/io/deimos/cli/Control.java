// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code control}: what is changed in a running application and by whom; with arguments it begins a
 * preset, sets a setting, or ends either.
 */
final class Control {
  static final String NEEDS = "control takes a preset, KEY=VALUE, or end and one of them";

  private static final String PATH = "/api/v1/settings";
  private static final String OURS = "deimos.";

  private Control() {}

  static void run(Call call) throws IOException {
    Map<String, String> wanted = wanted(call.words());
    String during = call.option("--for");
    if (during != null && wanted.isEmpty()) {
      throw Failure.misuse("--for belongs to a change");
    }
    if (wanted.isEmpty()) {
      call.print(GivenToken.page(call).get(PATH), Views::control);
      return;
    }
    if (during != null) {
      wanted.put("for", during);
    }
    wanted.put("who", who());
    call.print(GivenToken.page(call).post(PageClient.target(PATH, wanted)), Views::control);
  }

  /** The change that is asked for; empty for none. */
  private static Map<String, String> wanted(List<String> words) throws Failure {
    Map<String, String> wanted = new LinkedHashMap<>();
    boolean ends = !words.isEmpty() && words.get(0).equals("end");
    if (ends ? words.size() != 2 : words.size() > 1) {
      throw Failure.misuse(NEEDS);
    }
    if (words.isEmpty()) {
      return wanted;
    }
    String what = words.get(words.size() - 1);
    int equals = what.indexOf('=');
    if (ends) {
      wanted.put(what.startsWith(OURS) ? "key" : "end", what);
    } else if (equals > 0) {
      wanted.put("key", what.substring(0, equals));
      wanted.put("value", what.substring(equals + 1));
    } else {
      wanted.put("preset", what);
    }
    return wanted;
  }

  private static String who() {
    String user = System.getProperty("user.name", "");
    return (user.length() > 40 ? user.substring(0, 40) : user) + " at the command line";
  }
}
