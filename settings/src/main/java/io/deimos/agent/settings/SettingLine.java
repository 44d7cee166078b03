// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.util.List;

/**
 * One setting as the page shows it.
 *
 * @param choices all the values there are, if they are few
 * @param source where its value comes from, in a few words
 * @param mayChange whether the page can change it now
 * @param isChanged whether it is set on the page, by itself or by a preset
 * @param preset the preset that its value comes from; empty if from none
 * @param leftMillis until its value goes back by itself; negative for never
 */
public record SettingLine(
    String name,
    String value,
    String otherwise,
    String wanted,
    List<String> choices,
    String does,
    String costs,
    String source,
    boolean mayChange,
    boolean isChanged,
    String preset,
    long leftMillis) {}
