// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Not counted and not timed.
 *
 * <p>On a class of actors (for a typed actor: the class of its behaviour, or that in which its
 * functions stand) or of messages, or on an interface or superclass of one. Configuration cannot
 * override it. {@link Unmeasured} says the same as an interface.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface NeverMeasured {}
