// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

/**
 * A collector's word on the part that it did not take, although it took the request.
 *
 * @param rejected how many spans
 * @param words why, in its own words, cut; or empty
 */
record PartialSuccess(long rejected, String words) {
  private static final int PARTIAL_SUCCESS = 1;
  private static final int REJECTED_SPANS = 1;
  private static final int ERROR_MESSAGE = 2;
  private static final int MAX_CHARACTERS = 200;

  static PartialSuccess of(byte[] response) {
    long rejected = 0;
    String words = "";
    try {
      ProtoFields fields = new ProtoFields(response, 0, response.length);
      if (fields.find(PARTIAL_SUCCESS)) {
        ProtoFields partial = fields.inside();
        while (partial.next()) {
          if (partial.isNumber(REJECTED_SPANS)) {
            rejected = Math.max(0, partial.number());
          } else if (partial.isMessage(ERROR_MESSAGE)) {
            words = partial.text();
          }
        }
      }
    } catch (IllegalArgumentException e) {
      return new PartialSuccess(0, ""); // not protobuf: a proxy's page, say; the status counts
    }
    return new PartialSuccess(
        rejected, words.substring(0, Math.min(words.length(), MAX_CHARACTERS)));
  }

  /** To be put behind a sentence. */
  String why() {
    return words.isEmpty() ? "" : ": " + words;
  }
}
