// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.remote;

import java.util.List;
import java.util.Map;

/** What is left of the rows' traces if one of the two nodes has another agent, or none. */
final class WireMixedTrees {
  private WireMixedTrees() {}

  /** Sent to a node that does not hand our context on: its traces. */
  static final Map<String, List<String>> APART =
      Map.ofEntries(
          Map.entry(
              "ask",
              List.of(
                  "process Begin at a/user/ask\n  ask Work at a/user/echo\n  process Done at a/user/ask\n")),
          Map.entry(
              "ask-typed",
              List.of(
                  "process Begin at a/user/ask-typed\n  ask Question at a/user/typed\n  process Done at a/user/ask-typed\n")),
          Map.entry(
              "deployed",
              List.of("process Begin at a/user/deployed\n", "process Done at a/user/deployed\n")),
          Map.entry(
              "forward",
              List.of(
                  "process Begin at a/user/forward\n  process Work at a/user/forward-middle\n",
                  "process Done at a/user/forward\n")),
          Map.entry(
              "large",
              List.of("process Begin at a/user/large\n", "process Done at a/user/large\n")),
          Map.entry(
              "router",
              List.of(
                  "process Begin at a/user/router\n",
                  "process Done at a/user/router\n",
                  "process Done at a/user/router\n")),
          Map.entry(
              "scala-ask",
              List.of(
                  "process Begin at a/user/scala-ask\n  ask Work at a/user/echo\n  process Done at a/user/scala-ask\n")),
          Map.entry(
              "scala-tell",
              List.of(
                  "process Begin at a/user/scala-tell\n", "process Done at a/user/scala-tell\n")),
          Map.entry(
              "scala-typed-tell",
              List.of(
                  "process Begin at a/user/scala-typed-tell\n",
                  "process Done at a/user/scala-typed-tell\n")),
          Map.entry(
              "selection",
              List.of("process Begin at a/user/selection\n", "process Done at a/user/selection\n")),
          Map.entry(
              "tell", List.of("process Begin at a/user/tell\n", "process Done at a/user/tell\n")),
          Map.entry(
              "typed-ask",
              List.of(
                  "process Begin at a/user/typed-ask\n  ask Question at a/user/typed\n  process Adapted at a/user/typed-ask\n")),
          Map.entry(
              "typed-tell",
              List.of(
                  "process Begin at a/user/typed-tell\n", "process Done at a/user/typed-tell\n")));

  /** Sent to a node with the OpenTelemetry agent: one trace, without spans of that node. */
  static final Map<String, String> HANDED_ON =
      Map.ofEntries(
          Map.entry(
              "ask",
              """
              process Begin at a/user/ask
                ask Work at a/user/echo
                process Done at a/user/ask
              """),
          Map.entry(
              "ask-typed",
              """
              process Begin at a/user/ask-typed
                ask Question at a/user/typed
                process Done at a/user/ask-typed
              """),
          Map.entry(
              "baggage",
              """
              process Begin at a/user/baggage
                process Baggages at a/user/baggage
              """),
          Map.entry(
              "deployed",
              """
              process Begin at a/user/deployed
                process Done at a/user/deployed
              """),
          Map.entry(
              "forward",
              """
              process Begin at a/user/forward
                process Work at a/user/forward-middle
                  process Done at a/user/forward
              """),
          Map.entry(
              "large",
              """
              process Begin at a/user/large
                process Done at a/user/large
              """),
          Map.entry(
              "router",
              """
              process Begin at a/user/router
                process Done at a/user/router
                process Done at a/user/router
              """),
          Map.entry(
              "scala-ask",
              """
              process Begin at a/user/scala-ask
                ask Work at a/user/echo
                process Done at a/user/scala-ask
              """),
          Map.entry(
              "scala-tell",
              """
              process Begin at a/user/scala-tell
                process Done at a/user/scala-tell
              """),
          Map.entry(
              "scala-typed-tell",
              """
              process Begin at a/user/scala-typed-tell
                process Done at a/user/scala-typed-tell
              """),
          Map.entry(
              "selection",
              """
              process Begin at a/user/selection
                process Done at a/user/selection
              """),
          Map.entry(
              "tell",
              """
              process Begin at a/user/tell
                process Done at a/user/tell
              """),
          Map.entry(
              "tracestate",
              """
              request at a
                process Begin at a/user/tracestate
                  process Tracestates at a/user/tracestate
              """),
          Map.entry(
              "typed-ask",
              """
              process Begin at a/user/typed-ask
                ask Question at a/user/typed
                process Adapted at a/user/typed-ask
              """),
          Map.entry(
              "typed-tell",
              """
              process Begin at a/user/typed-tell
                process Done at a/user/typed-tell
              """));

  /** Sent by such a node, in a span of the user's, which is named here. */
  static final Map<String, String> SENT =
      Map.ofEntries(
          Map.entry(
              "ask",
              """
              ask at otel
                process Work at a/user/echo
              """),
          Map.entry(
              "ask-typed",
              """
              ask-typed at otel
                process Question at a/user/typed
              """),
          Map.entry(
              "baggage",
              """
              baggage at otel
                process WhatBaggage at a/user/echo
              """),
          Map.entry(
              "deployed",
              """
              deployed at otel
                process Work at a/remote/…/deployed-there
              """),
          Map.entry(
              "forward",
              """
              forward at otel
                process Work at a/user/echo
              """),
          Map.entry(
              "large",
              """
              large at otel
                process Large at a/user/echo-large
              """),
          Map.entry(
              "request",
              """
              request at otel
                process WhatTracestate at a/user/echo
              """),
          Map.entry(
              "router",
              """
              router at otel
                process Work at a/user/echo
                process Work at a/user/echo-large
              """),
          Map.entry(
              "scala-ask",
              """
              scala-ask at otel
                process Work at a/user/echo
              """),
          Map.entry(
              "scala-tell",
              """
              scala-tell at otel
                process Work at a/user/echo
              """),
          Map.entry(
              "scala-typed-tell",
              """
              scala-typed-tell at otel
                process Question at a/user/typed
              """),
          Map.entry(
              "selection",
              """
              selection at otel
                process Work at a/user/echo
              """),
          Map.entry(
              "tell",
              """
              tell at otel
                process Work at a/user/echo
              """),
          Map.entry(
              "typed-ask",
              """
              typed-ask at otel
                process Question at a/user/typed
              """),
          Map.entry(
              "typed-tell",
              """
              typed-tell at otel
                process Question at a/user/typed
              """));
}
