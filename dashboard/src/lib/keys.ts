// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Keys that follow each other faster than this are text. */
export const BURST_MILLIS = 300;

/** Tells a shortcut from text that is typed where no field takes it: only its first key is one. */
export class Typing {
  private last: { readonly timeStamp: number } | null = null;
  private inText = false;

  /** Whether this key goes on with text. Each listener may ask, the same key counts once. */
  goesOn(key: { readonly timeStamp: number }): boolean {
    if (key !== this.last) {
      this.inText = this.last !== null && key.timeStamp - this.last.timeStamp < BURST_MILLIS;
      this.last = key;
    }
    return this.inText;
  }
}
