// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One method that is woven, and with what. Hooks of one name are the forms that one hook has in
 * different versions of Pekko and Scala: the first that is there is woven.
 *
 * @param name as the self-test and the report name it
 * @param type the class, interface or object whose own method body is woven; for a Scala trait the
 *     interface itself, never a class's forwarder
 * @param method its name; {@code <init>} for a constructor; of a lambda, see {@link ScalaNames}
 * @param parameters the erased parameter types by name
 * @param advice the advice class by name
 */
public record HookPoint(
    String name, String type, String method, List<String> parameters, String advice) {

  static String name(String type, String method) {
    return type.substring(type.lastIndexOf('.') + 1)
        + "."
        + method.substring(method.lastIndexOf('$') + 1);
  }

  HookPoint renamed(UnaryOperator<String> names) {
    return new HookPoint(
        name,
        names.apply(type),
        names.apply(method),
        parameters.stream().map(names).toList(),
        advice);
  }

  /** Written out: what a record brings along is linked by method handles, while the JVM starts. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HookPoint hook
        && name.equals(hook.name)
        && type.equals(hook.type)
        && method.equals(hook.method)
        && parameters.equals(hook.parameters)
        && advice.equals(hook.advice);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * name.hashCode() + type.hashCode()) + method.hashCode();
  }

  public boolean isConstructor() {
    return method.equals("<init>");
  }

  /** Whether a method of this name may be the one, however scalac has written it. */
  public boolean isNamed(String compiled) {
    return ScalaNames.areSame(type, method, compiled);
  }
}
