// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Has a view ask again and again, while somebody can see it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api";
import { Poll } from "../lib/poll";
import { TIMERS } from "../timers";

const TIMEOUT_MILLIS = 10_000;

interface Answer<T> {
  /** The latest one; null before the first. */
  readonly value: T | null;
  /** The subject that it answers. */
  readonly answers: string;
  /** The server's objection to the request; null since it has answered it. */
  readonly refused: string | null;
  /** Why the last request had no answer; null since there is one. */
  readonly failure: string | null;
}

export interface Polled<T> extends Answer<T> {
  /** Asks at once, and leaves what is on its way. */
  readonly refresh: () => void;
}

/**
 * A request that a view makes every so many milliseconds.
 *
 * @param options `subject`: what tells this request from others; if it changes, the new one is asked at once, or
 *   after `delayMillis` for one that somebody types. `paused`: nothing is asked, and the latest answer stays.
 */
export function usePolled<T>(
  request: (signal: AbortSignal) => Promise<T>,
  millis: number,
  options: { readonly subject?: string; readonly paused?: boolean; readonly delayMillis?: number } = {},
): Polled<T> {
  const { subject = "", paused = false, delayMillis = 0 } = options;
  const [answer, setAnswer] = useState<Answer<T>>({ value: null, answers: "", refused: null, failure: null });
  const latest = useRef(request);
  latest.current = request;
  const poll = useRef<Poll<T> | null>(null);
  const asked = useRef(subject);
  useEffect(() => {
    if (paused) {
      return undefined;
    }
    const made = new Poll<T>({
      request: (signal) => latest.current(signal),
      onValue: (value) => setAnswer({ value, answers: subject, refused: null, failure: null }),
      onFailure: (reason, error) =>
        setAnswer((before) => ({ ...before, [error instanceof Refused ? "refused" : "failure"]: reason })),
      intervalMillis: millis,
      timeoutMillis: TIMEOUT_MILLIS,
      timers: TIMERS,
    });
    poll.current = made;
    const isAnother = asked.current !== subject;
    asked.current = subject;
    let end = () => {};
    const begin = () => {
      end = pollWhileVisible(made);
    };
    const timer = setTimeout(begin, delayMillis);
    if (!isAnother || delayMillis === 0) {
      clearTimeout(timer);
      begin();
    }
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [subject, paused]);
  return { ...answer, refresh: () => poll.current?.refresh() };
}

/** Starts and stops a poll with the tab's visibility, from now on; what is returned ends both. For an effect. */
export function pollWhileVisible<T>(poll: Poll<T>): () => void {
  const run = () => (document.visibilityState === "visible" ? poll.start() : poll.stop());
  document.addEventListener("visibilitychange", run);
  run();
  return () => {
    document.removeEventListener("visibilitychange", run);
    poll.stop();
  };
}
