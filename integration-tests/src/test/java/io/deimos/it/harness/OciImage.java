// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * An image in a layout of OCI, unpacked. Everything in it is read by its descriptor, and must have
 * the size and the digest that this says.
 */
public record OciImage(Path layout) {
  public static OciImage unpacked(Path tar, Path into) throws IOException {
    Program.run("tar", "-xf", tar.toString(), "-C", Files.createDirectory(into).toString())
        .succeeds();
    return new OciImage(into);
  }

  /** The descriptor of the image's index. */
  public Config descriptor() throws IOException {
    List<? extends Config> all = read(layout.resolve("index.json")).getConfigList("manifests");
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  /** The descriptors of its manifests, of which each has a platform. */
  public List<? extends Config> platforms() throws IOException {
    return json(descriptor()).getConfigList("manifests");
  }

  /** The manifest of one architecture. */
  public Config manifest(String architecture) throws IOException {
    for (Config descriptor : platforms()) {
      if (descriptor.getString("platform.architecture").equals(architecture)) {
        return json(descriptor);
      }
    }
    throw new AssertionError("no " + architecture + " in " + layout);
  }

  public Config configuration(String architecture) throws IOException {
    return json(manifest(architecture).getConfig("config"));
  }

  /** The root of a container of this image. */
  public Path root(String architecture, Path into) throws IOException {
    Files.createDirectory(into);
    List<String> unpacked = configuration(architecture).getStringList("rootfs.diff_ids");
    List<? extends Config> layers = manifest(architecture).getConfigList("layers");
    assertThat(layers).hasSameSizeAs(unpacked);
    for (int i = 0; i < layers.size(); i++) {
      Path tar = into.resolveSibling(into.getFileName() + "-" + i);
      String pack = blob(layers.get(i)).toString();
      Program.run("sh", "-c", "gunzip <\"$0\" >\"$1\"", pack, tar.toString()).succeeds();
      assertThat("sha256:" + sha256(tar)).isEqualTo(unpacked.get(i));
      Program.run("tar", "-xpf", tar.toString(), "-C", into.toString()).succeeds();
    }
    return into;
  }

  private Config json(Config descriptor) throws IOException {
    return read(blob(descriptor));
  }

  private static Config read(Path file) throws IOException {
    return ConfigFactory.parseString(Files.readString(file));
  }

  private Path blob(Config descriptor) throws IOException {
    String digest = descriptor.getString("digest");
    Path blob = layout.resolve("blobs").resolve(digest.replace(':', '/'));
    assertThat(Files.size(blob)).isEqualTo(descriptor.getLong("size"));
    assertThat("sha256:" + sha256(blob)).isEqualTo(digest);
    return blob;
  }

  private static String sha256(Path file) throws IOException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
