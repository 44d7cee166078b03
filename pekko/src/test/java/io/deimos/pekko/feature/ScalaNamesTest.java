// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalaNamesTest {
  private static final String TYPE = "a.b.C";

  @ParameterizedTest
  @CsvSource({
    "write, write, true",
    "write, a$b$C$$write, true",
    "a$b$C$$write, write, true",
    "a$b$C$$write, a$b$C$$write, true",
    "write, rewrite, false",
    "write, a$b$D$$write, false",
    "write, write$default$1, false",
    "<init>, <init>, true",
  })
  void areSame_members_withOrWithoutTheirClass(String declared, String compiled, boolean same) {
    assertThat(ScalaNames.areSame(TYPE, declared, compiled)).isEqualTo(same);
  }

  @ParameterizedTest
  @CsvSource({
    "$anonfun$onStart$1, true",
    "onStart$$anonfun$1, true",
    "$anonfun$onStart$2, false",
    "$anonfun$onStart$1$adapted, false",
    "onStart, false",
  })
  void areSame_lambda_asBothCompilersCallIt(String compiled, boolean same) {
    assertThat(ScalaNames.areSame(TYPE, ScalaNames.lambdaIn("onStart"), compiled)).isEqualTo(same);
  }
}
