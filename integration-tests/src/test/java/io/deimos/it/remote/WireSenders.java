// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.remote;

import java.util.Map;

/** Who sends to another node: typed actors in Java, classic and typed ones in Scala. */
final class WireSenders {
  private WireSenders() {}

  /** Each row and its whole trace. */
  static final Map<String, String> ROWS =
      Map.ofEntries(
          Map.entry(
              "typed-tell",
              """
              process Begin at a/user/typed-tell
                process Question at b/user/typed
                  process Done at a/user/typed-tell
              """),
          Map.entry(
              "typed-forward",
              """
              process Begin at a/user/typed-forward
                process Question at a/user/typed-forward/middle
                  process Question at b/user/typed
                    process Done at a/user/typed-forward
              """),
          Map.entry(
              "typed-adapter",
              """
              process Begin at a/user/typed-adapter
                process Question at b/user/typed
                  process Adapted at a/user/typed-adapter
              """),
          Map.entry(
              "typed-ask",
              """
              process Begin at a/user/typed-ask
                ask Question at a/user/typed
                  process Question at b/user/typed
                process Adapted at a/user/typed-ask
              """),
          Map.entry(
              "typed-ask-pattern",
              """
              process Begin at a/user/typed-ask-pattern
                ask Question at a/user/typed
                  process Question at b/user/typed
                process Adapted at a/user/typed-ask-pattern
              """),
          Map.entry(
              "typed-ask-timeout",
              """
              process Begin at a/user/typed-ask-timeout
                ask Question at a/user/typed ! timeout
                  process Question at b/user/typed
                process Adapted at a/user/typed-ask-timeout
              """),
          Map.entry(
              "scala-tell",
              """
              process Begin at a/user/scala-tell
                process Work at b/user/echo
                  process Done at a/user/scala-tell
              """),
          Map.entry(
              "scala-forward",
              """
              process Begin at a/user/scala-forward
                process Work at a/user/scala-forward-relay
                  process Work at b/user/echo
                    process Done at a/user/scala-forward
              """),
          Map.entry(
              "scala-ask",
              """
              process Begin at a/user/scala-ask
                ask Work at a/user/echo
                  process Work at b/user/echo
                process Done at a/user/scala-ask
              """),
          Map.entry(
              "scala-typed-tell",
              """
              process Begin at a/user/scala-typed-tell
                process Question at b/user/typed
                  process Done at a/user/scala-typed-tell
              """),
          Map.entry(
              "scala-typed-forward",
              """
              process Begin at a/user/scala-typed-forward
                process Question at a/user/scala-typed-forward/middle
                  process Question at b/user/typed
                    process Done at a/user/scala-typed-forward
              """),
          Map.entry(
              "scala-typed-adapter",
              """
              process Begin at a/user/scala-typed-adapter
                process Question at b/user/typed
                  process Adapted at a/user/scala-typed-adapter
              """),
          Map.entry(
              "scala-typed-ask",
              """
              process Begin at a/user/scala-typed-ask
                ask Question at a/user/typed
                  process Question at b/user/typed
                process Adapted at a/user/scala-typed-ask
              """),
          Map.entry(
              "scala-typed-ask-pattern",
              """
              process Begin at a/user/scala-typed-ask-pattern
                ask Question at a/user/typed
                  process Question at b/user/typed
                process Adapted at a/user/scala-typed-ask-pattern
              """));
}
