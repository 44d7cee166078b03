// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The last values of a figure, oldest first; null where it was not measured. */
export class Series {
  private readonly values: (number | null)[] = [];

  constructor(private readonly capacity: number) {}

  push(value: number | null): void {
    this.values.push(value);
    if (this.values.length > this.capacity) {
      this.values.shift();
    }
  }

  toArray(): readonly (number | null)[] {
    return this.values;
  }
}

/**
 * The `d` of an SVG path through the values, newest at the right edge, scaled so that the largest touches the top; an
 * empty text when there is nothing to draw. Gaps stay gaps.
 */
export function sparkPath(values: readonly (number | null)[], capacity: number, width: number, height: number): string {
  const max = values.reduce<number>((a, b) => Math.max(a, b ?? 0), 0);
  if (values.length < 2 || max <= 0) {
    return "";
  }
  const step = width / (capacity - 1);
  const left = width - (values.length - 1) * step;
  let path = "";
  let pen = "M";
  values.forEach((value, i) => {
    if (value === null) {
      pen = "M";
      return;
    }
    path += `${pen}${(left + i * step).toFixed(1)} ${(height - (value / max) * (height - 1) - 0.5).toFixed(1)}`;
    pen = "L";
  });
  return path;
}
