// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Reads, checks and describes what the user asks for, and never changes it afterwards.
 *
 * <p><b>Words.</b> <i>Key</i>: one setting, declared once, in {@link
 * io.deimos.agent.settings.Keys}. <i>Layer</i>: what one source says: system properties,
 * environment variables, a section of OpenTelemetry's configuration file, the application's HOCON.
 * <i>Given</i>: one value as somebody wrote it. <i>Settings</i>: a checked value for each key,
 * immutable. <i>Woven</i>: the settings under which classes were woven.
 *
 * <p>Any thread may read. Changes while the application runs are in {@code control}.
 */
@NullMarked
package io.deimos.agent.settings;

import org.jspecify.annotations.NullMarked;
