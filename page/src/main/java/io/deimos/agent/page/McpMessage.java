// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.http.Request;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.page.McpMessage.Refused;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One message of the Model Context Protocol, as the revisions with {@code initialize} have it, or
 * as those from {@value #MODERN} on, which say in each message what they are.
 *
 * @param id a text or a number; null for a notification, which is not answered
 * @param isModern whether it is of a revision without {@code initialize}
 */
record McpMessage(
    @Nullable Object id, String method, Map<String, Object> params, boolean isModern) {
  static final String MODERN = "2026-07-28";

  /** With {@code initialize}, the latest first. */
  static final List<String> LEGACY = List.of("2025-11-25", "2025-06-18", "2025-03-26");

  static final int NO_JSON = -32700;
  static final int NO_REQUEST = -32600;
  static final int NO_METHOD = -32601;
  static final int WRONG_PARAMETERS = -32602;
  static final int WRONG_HEADER = -32020;
  static final int WRONG_VERSION = -32022;

  private static final String VERSION_HEADER = "mcp-protocol-version";
  private static final String VERSION = "io.modelcontextprotocol/protocolVersion";
  private static final String CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
  private static final String ENCODED = "=?base64?";
  private static final String ENCODED_END = "?=";

  static McpMessage read(Request request, byte[] body) throws Refused {
    @Nullable Object read;
    try {
      read = JsonReader.read(new String(body, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new Refused(null, 400, NO_JSON, "the body is " + e.getMessage());
    }
    if (!(read instanceof Map)) {
      throw new Refused(null, 400, NO_REQUEST, "the body must be one JSON-RPC message");
    }
    Map<String, Object> message = JsonReader.object(read);
    @Nullable Object id = message.get("id");
    boolean isId = id == null || id instanceof String || id instanceof Long;
    boolean isNull = id == null && message.containsKey("id"); // which is no notification
    if (!isId
        || isNull
        || !"2.0".equals(message.get("jsonrpc"))
        || !(message.get("method") instanceof String method)) {
      throw new Refused(isId ? id : null, 400, NO_REQUEST, "this is no request of JSON-RPC 2.0");
    }
    if (message.get("params") != null && !(message.get("params") instanceof Map)) {
      throw new Refused(id, 400, WRONG_PARAMETERS, "params must be an object");
    }
    Map<String, Object> params =
        message.get("params") == null ? Map.of() : JsonReader.object(message.get("params"));
    Map<String, Object> meta =
        params.get("_meta") instanceof Map ? JsonReader.object(params.get("_meta")) : Map.of();
    String said = request.only(VERSION_HEADER);
    boolean modern = meta.containsKey(VERSION) || MODERN.equals(said);
    McpMessage parsed = new McpMessage(id, method, params, modern);
    if (modern) {
      parsed.checkModern(request, meta);
    } else if (said != null && !LEGACY.contains(said) && !method.equals("initialize")) {
      throw parsed.refused(400, WRONG_VERSION, "revision " + said + " is not spoken here", said);
    }
    return parsed;
  }

  /** Headers must repeat the body. */
  private void checkModern(Request request, Map<String, Object> meta) throws Refused {
    @Nullable Object version = meta.get(VERSION);
    if (version == null || !(meta.get(CAPABILITIES) instanceof Map)) {
      throw refused(400, WRONG_PARAMETERS, "_meta needs " + VERSION + " and " + CAPABILITIES, null);
    }
    if (!version.equals(request.only(VERSION_HEADER))) {
      throw refused(400, WRONG_HEADER, "MCP-Protocol-Version is not as in _meta", null);
    }
    if (!version.equals(MODERN)) {
      throw refused(
          400, WRONG_VERSION, "revision " + version + " is not spoken here", version.toString());
    }
    if (!method.equals(request.only("mcp-method"))) {
      throw refused(400, WRONG_HEADER, "Mcp-Method is not as in the body", null);
    }
    if (method.equals("tools/call")
        && !String.valueOf(params.get("name")).equals(decoded(request.only("mcp-name")))) {
      throw refused(400, WRONG_HEADER, "Mcp-Name is not as in the body", null);
    }
  }

  /** A header that may be encoded since it has more than plain characters. */
  private static @Nullable String decoded(@Nullable String header) {
    if (header == null
        || header.length() < ENCODED.length() + ENCODED_END.length()
        || !header.startsWith(ENCODED)
        || !header.endsWith(ENCODED_END)) {
      return header;
    }
    try {
      return new String(
          Base64.getDecoder()
              .decode(header.substring(ENCODED.length(), header.length() - ENCODED_END.length())),
          StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  Refused refused(int status, int code, String said, @Nullable String version) {
    return new Refused(id, status, code, said, version);
  }

  /** A message that is answered with an error. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    private final transient @Nullable Object id;
    private final int status;
    private final int code;
    private final @Nullable String version;

    Refused(@Nullable Object id, int status, int code, String said) {
      this(id, status, code, said, null);
    }

    /**
     * @param version the revision that was asked for and is not spoken; null if it is not that
     */
    Refused(@Nullable Object id, int status, int code, String said, @Nullable String version) {
      super(said);
      this.id = id;
      this.status = status;
      this.code = code;
      this.version = version;
    }

    @Nullable Object id() {
      return id;
    }

    int status() {
      return status;
    }

    int code() {
      return code;
    }

    @Nullable String version() {
      return version;
    }
  }
}
