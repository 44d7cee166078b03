// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code profile}: has a profile made for a while, and then prints which classes of messages took
 * the processor and for what others waited, or saves the stacks.
 */
final class Profile {
  private static final String PATH = "/api/v1/profile";
  private static final long PAUSE_MILLIS = 1000;
  private static final int MAX_SECONDS = 600;

  private Profile() {}

  static void run(Call call) throws IOException, InterruptedException {
    int seconds = call.number("--seconds", 1, MAX_SECONDS);
    Map<String, String> query = call.query();
    Map<String, Path> files = new LinkedHashMap<>();
    for (String format : new String[] {"collapsed", "speedscope", "pprof"}) {
      String file = call.option("--" + format);
      if (file != null) {
        files.put(format, OwnFile.absent(file));
      }
    }
    PageClient page = GivenToken.page(call);
    String target = PageClient.target(PATH, query);
    PageClient.Reply reply = page.get(target);
    while (reply.status() == PageClient.OK && !isMade(Json.readObject(reply.body()), seconds)) {
      Thread.sleep(PAUSE_MILLIS);
      reply = page.get(target);
    }
    if (reply.status() == PageClient.OK) {
      save(call, page, query, files);
    }
    call.print(reply, Views::profile);
  }

  private static boolean isMade(Json answer, int seconds) {
    return answer.number("seconds") >= seconds - 1 && answer.is("state", "on");
  }

  private static void save(
      Call call, PageClient page, Map<String, String> query, Map<String, Path> files)
      throws IOException {
    for (Map.Entry<String, Path> file : files.entrySet()) {
      Map<String, String> asked = new LinkedHashMap<>(query);
      asked.put("format", file.getKey());
      page.save(PageClient.target(PATH, asked), file.getValue());
      call.err().println(file.getValue() + ": " + Files.size(file.getValue()) + " bytes");
    }
  }
}
