// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

/** A small application: it starts actors, sends the first message, and returns when all is done. */
interface Scenario {
  void run(Stage stage) throws Exception;
}
