// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Certificates and keys of TLS, from files of PEM or from a keystore. A file with a key or a
 * password in it must be for its owner alone.
 */
public final class TlsFiles {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final long MAX_BYTES = 1 << 20;
  private static final char[] NO_PASSWORD = {};

  private TlsFiles() {}

  /**
   * For who serves, with a certificate and its key.
   *
   * @param certificate a file with the certificate, and those that it was made with behind it
   * @param key a file with its key, in PKCS #8 and not encrypted
   * @throws IOException that says which setting to mend
   */
  public static SSLContext ofPem(String certificate, String key) throws IOException {
    Collection<? extends Certificate> chain =
        certificates("deimos.page.tls.certificate", certificate);
    Matcher found = KEY.matcher(secret("deimos.page.tls.key", key));
    if (!found.find()) {
      throw new IOException(
          "deimos.page.tls.key="
              + key
              + ": no key in PKCS #8 that is not encrypted. Convert it with openssl pkcs8 -topk8"
              + " -nocrypt");
    }
    try {
      Certificate own = chain.iterator().next();
      PrivateKey secret =
          KeyFactory.getInstance(own.getPublicKey().getAlgorithm())
              .generatePrivate(
                  new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1).strip())));
      checkPair(own, secret);
      KeyStore keys = empty();
      keys.setKeyEntry("page", secret, NO_PASSWORD, chain.toArray(new Certificate[0]));
      return serving(keys, NO_PASSWORD);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(
          "deimos.page.tls.key="
              + key
              + ": it does not fit the certificate ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /** While both files are replaced, one may be old and the other new. */
  private static void checkPair(Certificate certificate, PrivateKey key)
      throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "";
        };
    if (algorithm.isEmpty()) {
      return; // a handshake will say
    }
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    if (!signature.verify(signed)) {
      throw new GeneralSecurityException("it is the key of another");
    }
  }

  /**
   * For who serves, with what a keystore has.
   *
   * @param passwordFile a file with the store's password; empty for none
   * @throws IOException that says which setting to mend
   */
  public static SSLContext ofKeystore(String keystore, String passwordFile) throws IOException {
    char[] password =
        passwordFile.isEmpty()
            ? NO_PASSWORD
            : secret("deimos.page.tls.keystore-password-file", passwordFile).strip().toCharArray();
    try {
      Path file = Path.of(keystore);
      OwnersOnly.check(file);
      KeyStore keys = KeyStore.getInstance(file.toFile(), password);
      return serving(keys, password);
    } catch (GeneralSecurityException | IOException | RuntimeException e) {
      throw new IOException(
          "deimos.page.tls.keystore=" + keystore + ": it cannot be opened (" + e.getMessage() + ")",
          e);
    }
  }

  /**
   * For who joins.
   *
   * @param trusted a file with the certificates that the page may have, or that its own was made
   *     with; empty for those that the JDK knows
   * @throws IOException that says which setting to mend
   */
  public static SSLContext trusting(String trusted) throws IOException {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      if (trusted.isEmpty()) {
        trust.init((KeyStore) null);
      } else {
        KeyStore store = empty();
        int number = 0;
        for (Certificate one : certificates("deimos.page.tls.trust", trusted)) {
          store.setCertificateEntry("trusted-" + number++, one);
        }
        trust.init(store);
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("deimos.page.tls.trust=" + trusted + ": " + e.getMessage(), e);
    }
  }

  private static SSLContext serving(KeyStore keys, char[] password)
      throws GeneralSecurityException {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(String setting, String file)
      throws IOException {
    byte[] bytes = text(setting, file).getBytes(StandardCharsets.ISO_8859_1);
    try (InputStream in = new ByteArrayInputStream(bytes)) {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (!all.isEmpty()) {
        return all;
      }
    } catch (GeneralSecurityException e) {
      throw new IOException(setting + "=" + file + ": no certificate in PEM", e);
    }
    throw new IOException(setting + "=" + file + ": no certificate in PEM");
  }

  /** Files that nobody else may read. */
  private static String secret(String setting, String file) throws IOException {
    String text = text(setting, file);
    try {
      OwnersOnly.check(Path.of(file));
      return text;
    } catch (IOException e) {
      throw new IOException(setting + "=" + file + ": " + e.getMessage(), e);
    }
  }

  private static String text(String setting, String file) throws IOException {
    try {
      Path path = Path.of(file);
      if (Files.size(path) > MAX_BYTES) {
        throw new IOException("it is too large");
      }
      return Files.readString(path, StandardCharsets.ISO_8859_1);
    } catch (IOException | RuntimeException e) {
      throw new IOException(setting + "=" + file + ": it cannot be read (" + e + ")", e);
    }
  }
}
