// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;

/** {@code tap}: opens a tap on a running application and prints its messages as they come. */
final class Tap {
  private static final String PATH = "/api/v1/tap";
  private static final long POLL_MILLIS = 500;
  private static final double ALL = 0.999;

  private Tap() {}

  static void run(Call call) throws IOException, InterruptedException {
    PageClient page = GivenToken.page(call);
    String next = PageClient.target(PATH, call.query());
    while (true) {
      Json answer = call.print(page.get(next), Tap::print);
      if (!answer.is("state", "open")) {
        return;
      }
      next = PATH + "/" + answer.text("id") + "?after=" + (long) answer.number("last");
      Thread.sleep(POLL_MILLIS);
    }
  }

  private static void print(Json answer, Lines out) {
    out.each(
        answer.each("messages"),
        "{#atMillis:ms}  {class} to {actorPath}[ from {senderPath}][ waited {waitNanos:ns}] took"
            + " {processingNanos:ns}[ failed with {error}] trace {traceId}[ says {content}]");
    if (answer.is("state", "open")) {
      return;
    }
    out.of(answer, "{#taken} messages, {#leftOut} more that the rate left out; ended by {endedBy}");
    if (answer.has("recordedShare") && answer.number("recordedShare") < ALL) {
      out.of(answer, "Only the {recordedShare:share} of messages that are recorded can be seen.");
    }
  }
}
