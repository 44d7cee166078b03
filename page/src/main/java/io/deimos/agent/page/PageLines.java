// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.source.PageAccess;

/** Is told how the page's server started. Called on the thread that starts it. */
public interface PageLines {
  /**
   * It is up.
   *
   * @param url its address, without any token
   * @param access who may read it; its token is the one that is valid
   */
  void bound(String url, PageAccess access);

  /**
   * The page of another process shows this one.
   *
   * @param url that page's address
   * @param who the other process, in words
   */
  void joined(String url, String who);

  /**
   * It is not.
   *
   * @param reason one sentence, with the way out
   */
  void failed(String reason);
}
