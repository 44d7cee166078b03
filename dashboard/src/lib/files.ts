// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Traces that the reader has opened from a file. They are in this tab alone, and go with it. */
import type { Trace } from "./contract";
import { fromOtlp, MAX_BYTES, MAX_SPANS } from "./otlp";

export class OpenedTraces {
  private readonly traces = new Map<string, Trace>();

  /** Reads a file; those with the same id replace what was there. The eldest go when there are too many spans. */
  async open(file: { readonly size: number; text(): Promise<string> }): Promise<readonly Trace[]> {
    if (file.size > MAX_BYTES) {
      throw new Error(`the file has more than ${MAX_BYTES >> 20} MiB`);
    }
    const read = fromOtlp(await file.text());
    for (const trace of read) {
      this.traces.delete(trace.traceId);
      this.traces.set(trace.traceId, trace);
    }
    for (const [id, trace] of this.traces) {
      if (this.spans() <= MAX_SPANS || read.includes(trace)) {
        break;
      }
      this.traces.delete(id);
    }
    return read;
  }

  private spans(): number {
    return this.all().reduce((sum, trace) => sum + trace.spans.length, 0);
  }

  get(traceId: string): Trace | null {
    return this.traces.get(traceId) ?? null;
  }

  all(): readonly Trace[] {
    return [...this.traces.values()];
  }

  forget(): void {
    this.traces.clear();
  }
}

/** Has the browser save a text as a file. */
export function save(name: string, content: string, type = "application/json"): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
