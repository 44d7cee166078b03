// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The proof that somebody knows a secret, which does not tell it. */
public final class Hmac {
  private static final String NAME = "HmacSHA256";

  private Hmac() {}

  /**
   * As 64 hexadecimal digits.
   *
   * @param said what the proof is for; none of it has a {@code |}
   */
  public static String of(String secret, String... said) {
    try {
      Mac mac = Mac.getInstance(NAME);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), NAME));
      String text = "deimos|" + String.join("|", said);
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + NAME, e);
    }
  }
}
