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
 * Runs a test class on the JDK of this build and on the newest one installed. For what depends on
 * the JDK: threads, futures, class loading, the end of the JVM. See {@link OnOneJdk}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SideBySide
@ParameterizedClass(name = "{0}")
@MethodSource("io.deimos.it.harness.Jdk#all")
public @interface OnEachJdk {}
