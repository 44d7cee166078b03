// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;

/**
 * A self-signed key pair for 127.0.0.1, made by the JDK's keytool.
 *
 * @param store has it, under {@link #ALIAS}
 * @param certificateFile and {@code keyFile} are PEM
 */
public record TestKeys(KeyStore store, Path certificateFile, Path keyFile) {
  public static final char[] PASSWORD = "for-a-test".toCharArray();

  private static final String ALIAS = "it";

  public static TestKeys make(Path directory, String name) throws Exception {
    Path file = directory.resolve(name + ".p12");
    Program.run(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
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
        .succeeds();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return new TestKeys(
        store,
        pem(
            directory.resolve(name + ".crt"),
            "CERTIFICATE",
            store.getCertificate(ALIAS).getEncoded()),
        pem(
            directory.resolve(name + ".key"),
            "PRIVATE KEY",
            store.getKey(ALIAS, PASSWORD).getEncoded()));
  }

  public Certificate certificate() throws GeneralSecurityException {
    return store.getCertificate(ALIAS);
  }

  private static Path pem(Path file, String what, byte[] bytes) throws IOException {
    return Files.writeString(
        file,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(what, Base64.getMimeEncoder().encodeToString(bytes), what));
  }
}
