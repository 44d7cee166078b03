// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Hands out the palette's colours: the same name has the same colour wherever it is shown. */
export const PALETTE_SIZE = 12;
export const GREYS = 4;

export class Colours {
  private readonly indexes = new Map<string, number>();
  private readonly uses: number[];

  /** Takes the first `size` of the style's variables `--<palette>-0`, `--<palette>-1`, … */
  constructor(
    private readonly palette = "hue",
    private readonly size = PALETTE_SIZE,
  ) {
    this.uses = new Array<number>(size).fill(0);
  }

  /** The name's own place by its hash, or the next one that fewer names share. */
  indexOf(name: string): number {
    const known = this.indexes.get(name);
    if (known !== undefined) {
      return known;
    }
    const least = Math.min(...this.uses);
    let index = hash(name) % this.size;
    while ((this.uses[index] ?? 0) > least) {
      index = (index + 1) % this.size;
    }
    this.uses[index] = least + 1;
    this.indexes.set(name, index);
    return index;
  }

  /** The name of the style's variable that holds the name's colour. */
  variable(name: string): string {
    return `--${this.palette}-${this.indexOf(name)}`;
  }

  of(name: string): string {
    return `var(${this.variable(name)})`;
  }
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return (value ^ (value >>> 15)) >>> 0;
}
