// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

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

  /** What has gone wrong in this process, the latest first. */
  List<TroubleGroup> trouble();

  /** What this process says of the clusters it is in. */
  ClusterCard cluster();

  /** An answer, in JSON or as plain text. */
  final class Reply {
    private final int status;
    private final boolean gzip;
    private final boolean text;
    private final byte[] body;

    /**
     * An answer in JSON.
     *
     * @param gzip whether the body is packed
     * @param body belongs to the answer from now on
     */
    public Reply(int status, boolean gzip, byte[] body) {
      this(status, gzip, false, body);
    }

    /**
     * An answer.
     *
     * @param gzip whether the body is packed
     * @param text whether it is plain text
     * @param body belongs to the answer from now on
     */
    public Reply(int status, boolean gzip, boolean text, byte[] body) {
      this.status = status;
      this.gzip = gzip;
      this.text = text;
      this.body = body;
    }

    public int status() {
      return status;
    }

    public boolean gzip() {
      return gzip;
    }

    public boolean text() {
      return text;
    }

    public byte[] body() {
      return body;
    }
  }
}
