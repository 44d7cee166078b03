// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.http.Reply;
import io.deimos.agent.observer.TroubleGroup;
import java.util.List;

/** Answers what the page asks one process. It changes settings only if the process allows that. */
public interface LocalPage {
  /**
   * The answer to one request.
   *
   * @param target path and query, below {@code /api/}
   * @param gzip whether the answer may be packed
   */
  Reply answer(String target, boolean gzip);

  /**
   * The answer to one request of who has shown the page's token.
   *
   * @param changes whether it is to change something
   */
  default Reply answerTold(String target, boolean gzip, boolean changes) {
    return changes ? NodeLink.refusal(403, "nothing is changed here") : answer(target, gzip);
  }

  /** The trouble of this process, the latest first. */
  List<TroubleGroup> trouble();

  /** This process's words on the clusters it is in. */
  ClusterCard cluster();
}
