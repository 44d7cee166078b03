// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs a test class on the JDK of this build, and with {@code -Dit.jdks=full} on the newest one
 * installed as well. For classes that start JVMs of their own for what Pekko's and our own code do
 * alike on each JDK; what they need of the JDK, a class {@link OnEachJdk} tests.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SideBySide
@ParameterizedClass(name = "{0}")
@MethodSource("io.deimos.it.harness.Jdk#one")
public @interface OnOneJdk {}
