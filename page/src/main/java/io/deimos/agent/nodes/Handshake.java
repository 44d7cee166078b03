// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

/** The words with which a link begins, over HTTP on the page's port. */
public final class Handshake {
  /** Says who has the port; anybody may ask. */
  public static final String ABOUT = "/api/v1/about";

  /** Becomes a link. */
  public static final String LINK = "/api/v1/link";

  /** Frames of this version follow the empty line. */
  public static final int VERSION = 5;

  public static final String NUMBER = "Deimos-Number";
  public static final String PROOF = "Deimos-Proof";
  public static final String FILE = "Deimos-File";

  /** In place of a file: the secret is a token that both were given. */
  static final String SHARED = "shared";

  private Handshake() {}
}
