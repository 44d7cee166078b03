// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.deimos.recorder.context.ThreadFields;
import io.deimos.recorder.context.ThreadState;
import org.junit.jupiter.api.Test;

/**
 * Code copied into Pekko calls the recorder's hooks, and nothing else of ours but the state of the
 * thread it runs on: sends and executors look at that first, and mostly have no more to do.
 */
class ArchitectureTest {
  private static final String RECORDER = "io.deimos.recorder.";

  @Test
  void advice_calls_leadToHooksAndWovenFieldsOnly() {
    noClasses()
        .should()
        .callMethodWhere(
            DescribedPredicate.<JavaMethodCall>describe(
                "the recorder is called past its hooks",
                call -> isPastTheHooks(call.getTargetOwner())))
        .check(new ClassFileImporter().importPackages("io.deimos.pekko.advice"));
  }

  private static boolean isPastTheHooks(JavaClass called) {
    String room = called.getPackageName();
    return room.startsWith(RECORDER)
        && !room.equals(RECORDER + "hooks")
        && !room.equals(RECORDER + "woven")
        && !called.isEquivalentTo(ThreadFields.class)
        && !called.isEquivalentTo(ThreadState.class);
  }
}
