// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.EnvelopeFields;
import java.lang.reflect.Modifier;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import org.junit.jupiter.api.Test;

class AddedFieldsTest {
  /** A class like Pekko's envelope. */
  public static class Plain {
    /** Made by reflection, in another class loader. */
    public Plain() {}
  }

  private static Object woven() throws ReflectiveOperationException {
    return new ByteBuddy()
        .decorate(Plain.class)
        .visit(new AddedFields(EnvelopeFields.class))
        .make()
        .load(AddedFieldsTest.class.getClassLoader(), ClassLoadingStrategy.Default.CHILD_FIRST)
        .getLoaded()
        .getConstructor()
        .newInstance();
  }

  @Test
  void wrap_class_readsBackWhatItsSetterWasGiven() throws ReflectiveOperationException {
    EnvelopeFields fields = (EnvelopeFields) woven();
    Trace trace = new Trace(1, 2, true, null);
    fields.deimos$sent(trace, 3, 4);
    assertThat(fields.deimos$trace()).isSameAs(trace);
    assertThat(fields.deimos$parent()).isEqualTo(3);
    assertThat(fields.deimos$sent()).isEqualTo(4);
  }

  @Test
  void wrap_addedFields_areTransientSoThatNoSerialiserTakesThem()
      throws ReflectiveOperationException {
    assertThat(woven().getClass().getDeclaredFields())
        .hasSize(3)
        .allSatisfy(field -> assertThat(Modifier.isTransient(field.getModifiers())).isTrue());
  }
}
