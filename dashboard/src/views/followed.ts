// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Has a view ask again whenever what it tells of has changed. */
import { useEffect, useRef, useState } from "preact/hooks";
import { reasonOf } from "../lib/poll";

const TIMEOUT_MILLIS = 10_000;

/**
 * A request that a view makes once, and again when `version` is another. One request at a time: one that is on its way
 * is waited for, so that an answer comes also if it takes longer than the next change.
 *
 * @param failed what stands for an answer that did not come
 * @returns null before the first answer
 */
export function useFollowed<T>(
  request: (signal: AbortSignal) => Promise<T>,
  version: string | number,
  failed: (reason: string) => T,
): T | null {
  const [answer, setAnswer] = useState<{ readonly value: T; readonly version: string | number } | null>(null);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  useEffect(() => {
    if (current.current !== null || answer?.version === version) {
      return;
    }
    const controller = new AbortController();
    current.current = controller;
    const end = (value: T) => {
      if (!controller.signal.aborted) {
        current.current = null;
        setAnswer({ value, version });
      }
    };
    request(AbortSignal.any([controller.signal, AbortSignal.timeout(TIMEOUT_MILLIS)])).then(end, (error: unknown) =>
      end(failed(reasonOf(error))),
    );
  }, [version, answer]);
  return answer === null ? null : answer.value;
}
