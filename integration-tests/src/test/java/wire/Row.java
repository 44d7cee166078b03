// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

/** One way by which messages cross nodes; returns when all of it is done. */
interface Row {
  void run(Stage stage) throws Exception;
}
