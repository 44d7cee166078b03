// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

/**
 * Asks that are alike: one class of actors asks another for the same.
 *
 * @param asker empty if no actor asks, but a thread of the application's or a stream
 * @param asked empty if that is not known, as on another node
 * @param request the class of the message
 */
public record AskSite(String asker, String asked, String request) {}
