// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

/** Is told how the page's server started. Called on the thread that starts it. */
public interface PageLines {
  /**
   * It is up.
   *
   * @param url its address, without any token
   */
  void bound(String url);

  /**
   * It is not.
   *
   * @param reason one sentence, with the way out
   */
  void failed(String reason);
}
