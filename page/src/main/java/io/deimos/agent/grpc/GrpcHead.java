// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

import java.util.List;
import java.util.Map;

/**
 * The head of a call.
 *
 * @param path service and method
 * @param authority whom the client means to call; empty if it does not say
 * @param headers by name in lower case, each in the order it was sent
 */
public record GrpcHead(String path, String authority, Map<String, List<String>> headers) {}
