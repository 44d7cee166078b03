// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.source;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.check.Checks;
import io.deimos.agent.logs.LogBook;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.profile.Profile;
import io.deimos.agent.tail.TailCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of the page that only the agent's set-up knows. Asked by the page's threads. */
public interface PageSource {
  /** The resource's {@code service.name}. */
  String serviceName();

  /** The version of Deimos. */
  String version();

  /** Where spans go: {@code store}, or the exporter and its endpoint, {@code otlp http://…}. */
  String exportTarget();

  /** Spans made from records that have been handed to the exporter, or to the store. */
  long spansExported();

  /** Spans lost after they had left the rings; the rings' own losses are not in it. */
  long spansDropped();

  /** The counts of tail sampling. */
  default TailCounts tail() {
    return new TailCounts();
  }

  /** The charts' figures from before the page was opened. */
  default PageHistory history() {
    return new PageHistory();
  }

  /** Keeps account of the cost of requests, whichever way they come. */
  Accountant accountant();

  /** The news for the user, each in one sentence: wrong settings, features switched off. */
  List<String> problems();

  /** The settings, if they are shown and changed here. */
  default @Nullable PageSettings settings() {
    return null;
  }

  /** Whether assistants may ask at {@code /mcp}. */
  default boolean mcp() {
    return true;
  }

  /** Follows single actors; may be absent. */
  default @Nullable Observer observer() {
    return null;
  }

  /** Says what is wrong; may be absent. */
  default @Nullable Checks checks() {
    return null;
  }

  /** The last log records; null if none are kept. */
  default @Nullable LogBook logs() {
    return null;
  }

  /** Makes a profile while it is asked for; may be absent. */
  default @Nullable Profile profile() {
    return null;
  }
}
