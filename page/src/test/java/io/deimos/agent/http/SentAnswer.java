// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;

/** An answer as a client gets it. */
public final class SentAnswer {
  private SentAnswer() {}

  /** All bytes of it; what it takes is given back. */
  public static byte[] bytes(Answer answer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Outgoing sent = answer.outgoing();
    assertThat(sent.writeTo(Channels.newChannel(bytes))).isTrue();
    sent.end();
    return bytes.toByteArray();
  }
}
