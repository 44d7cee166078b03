// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import { ANSWERS } from "./contract";
import { kindOf, type Of } from "./read";

/** Why something is not here, in the server's words. */
export interface Absent {
  readonly absent: string;
}

type Address = keyof typeof ANSWERS;

/** An answer of an address of the interface, as its declaration says. */
export function answer<A extends Address>(address: A, value: unknown): Of<(typeof ANSWERS)[A]> {
  if (kindOf(value) !== "object") {
    throw new Error(`${address} answered with something that is no JSON object`);
  }
  return ANSWERS[address](value) as Of<(typeof ANSWERS)[A]>;
}
