// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Self-signed key pairs for a test, made by the JDK's keytool. */
public final class KeyPairs {
  private static final char[] PASSWORD = "for-a-test".toCharArray();

  private final Path directory;

  public KeyPairs(Path directory) {
    this.directory = directory;
  }

  /** A new pair for 127.0.0.1. */
  public KeyStore make(String name)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path file = directory.resolve(name + ".p12");
    int exit =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start()
            .waitFor();
    if (exit != 0) {
      throw new IOException("keytool ended with " + exit);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  public static byte[] certificate(KeyStore of) throws GeneralSecurityException {
    return pem("CERTIFICATE", of.getCertificate("it").getEncoded());
  }

  public static byte[] key(KeyStore of) throws GeneralSecurityException {
    return pem("PRIVATE KEY", of.getKey("it", PASSWORD).getEncoded());
  }

  private static byte[] pem(String what, byte[] bytes) {
    String text =
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(what, Base64.getMimeEncoder().encodeToString(bytes), what);
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** For a server that is {@code own} and trusts {@code peer} alone. */
  static SSLContext context(KeyStore own, KeyStore peer)
      throws GeneralSecurityException, IOException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, PASSWORD);
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("peer", peer.getCertificate("it"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
