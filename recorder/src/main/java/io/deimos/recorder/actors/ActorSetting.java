// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

/**
 * One setting of an actor, for people to read.
 *
 * @param key as in {@code deimos.actors}: {@code tracing}, {@code metrics} …
 * @param value as somebody would write it
 * @param source who says so
 */
public record ActorSetting(String key, String value, String source) {}
