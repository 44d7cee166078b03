// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** A small seeded generator: the same seed gives the same figures on every run (mulberry32). */
export class Random {
  constructor(private seed: number) {}

  /** In [0, 1). */
  next(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let t = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** Around a median, with a long tail to the right. */
  logNormal(median: number, sigma: number): number {
    const a = Math.sqrt(-2 * Math.log(1 - this.next()));
    return median * Math.exp(sigma * a * Math.cos(2 * Math.PI * this.next()));
  }

  hex(digits: number): string {
    let text = "";
    while (text.length < digits) {
      text += Math.floor(this.next() * 0x100000000)
        .toString(16)
        .padStart(8, "0");
    }
    return text.slice(0, digits);
  }
}
