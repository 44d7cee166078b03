// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Answers what polls ask again and again from one stream, so that a tab has one connection. The first time a poll asks
 * something, it is asked in the ordinary way; the stream has it from the second time on. Where there is no stream, all
 * is asked in the ordinary way. Knows no browser.
 */
import { type Asker, isAskedBy, type Timers } from "./poll";

/** How long questions are gathered before the stream begins anew with all of them. */
const GATHER_MILLIS = 30;
/** How long after the end of a stream the next one begins. */
const AGAIN_MILLIS = 1000;
/** How long nobody has to wait for an answer until it is no longer asked for, beyond its own interval. */
const LEFT_MILLIS = 3000;
/** How long there is no stream after one failed. */
const PAUSE_MILLIS = 30_000;
/** At most so many questions; others are asked in the ordinary way. */
const MAX_QUESTIONS = 16;

export interface LiveAnswer {
  readonly status: number;
  readonly value: unknown;
}

export interface LiveOptions {
  /** Opens a stream of these questions and gives the data of its events; ends when the stream does. */
  readonly open: (questions: readonly string[], signal: AbortSignal) => AsyncIterable<string>;
  readonly timers: Timers;
}

interface Question {
  readonly path: string;
  readonly everyMillis: number;
  answer: LiveAnswer | null;
  /** Counts the answers to all questions, so that one can be told from the next. */
  version: number;
  lastWaitMillis: number;
  /** Are called when there is an answer, or no stream any more. */
  readonly waiting: Set<() => void>;
}

export class Live {
  private readonly questions = new Map<string, Question>();
  private versions = 0;
  private stream: AbortController | null = null;
  private gathering: unknown = null;
  private brokenUntilMillis = 0;

  constructor(private readonly options: LiveOptions) {}

  /**
   * The next answer to a poll's question; null if it is to be asked in the ordinary way.
   *
   * @param path address and query, from the page's own place
   */
  async ask(path: string, signal: AbortSignal): Promise<LiveAnswer | null> {
    const asker = isAskedBy(signal);
    const now = this.options.timers.now();
    if (asker === null || now < this.brokenUntilMillis || !asker.asksAgain(path)) {
      return null;
    }
    const question = this.questions.get(path) ?? this.begin(path, asker);
    if (question === null) {
      return null;
    }
    question.lastWaitMillis = now;
    if (question.answer === null || asker.hasSeen(path, question.version)) {
      await this.next(question, signal);
    }
    const { answer } = question;
    if (answer === null) {
      return null;
    }
    asker.sees(path, question.version);
    return answer;
  }

  /** Ends the stream; who waits asks in the ordinary way. */
  private close(): void {
    this.options.timers.clear(this.gathering);
    this.gathering = null;
    this.stream?.abort();
    this.stream = null;
    const questions = [...this.questions.values()];
    this.questions.clear();
    for (const question of questions) {
      question.answer = null;
      this.tell(question);
    }
  }

  private begin(path: string, asker: Asker): Question | null {
    if (this.questions.size >= MAX_QUESTIONS) {
      return null;
    }
    const question: Question = {
      path,
      everyMillis: asker.intervalMillis,
      answer: null,
      version: 0,
      lastWaitMillis: this.options.timers.now(),
      waiting: new Set(),
    };
    this.questions.set(path, question);
    this.gather(GATHER_MILLIS);
    return question;
  }

  private gather(millis: number): void {
    this.gathering ??= this.options.timers.set(() => {
      this.gathering = null;
      this.reopen();
    }, millis);
  }

  private next(question: Question, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = () => {
        signal.removeEventListener("abort", left);
        resolve();
      };
      const left = () => {
        question.waiting.delete(waiting);
        reject(signal.reason instanceof Error ? signal.reason : new Error("given up"));
      };
      signal.addEventListener("abort", left, { once: true });
      question.waiting.add(waiting);
    });
  }

  private reopen(): void {
    this.stream?.abort();
    this.stream = null;
    if (this.questions.size > 0) {
      const stream = new AbortController();
      this.stream = stream;
      void this.follow(stream, [...this.questions.values()]);
    }
  }

  private async follow(stream: AbortController, asked: readonly Question[]): Promise<void> {
    let some = false;
    try {
      const questions = asked.map(({ everyMillis, path }) => `${everyMillis},${path}`);
      for await (const data of this.options.open(questions, stream.signal)) {
        if (this.stream !== stream) {
          return;
        }
        some = true;
        this.take(asked, data);
        this.tidy();
      }
    } catch {
      some = false;
    }
    if (this.stream !== stream) {
      return; // another has taken its place
    }
    if (some) {
      this.stream = null;
      this.gather(AGAIN_MILLIS); // its time was over, or the server has no room for it now
    } else {
      this.brokenUntilMillis = this.options.timers.now() + PAUSE_MILLIS;
      this.close();
    }
  }

  private take(asked: readonly Question[], data: string): void {
    const { ask, ...answer } = JSON.parse(data) as LiveAnswer & { readonly ask: number };
    const question = asked[ask];
    if (question === undefined) {
      throw new Error("an answer to no question");
    }
    question.answer = answer;
    question.version = ++this.versions;
    if (question.waiting.size > 0) {
      question.lastWaitMillis = this.options.timers.now();
    }
    this.tell(question);
  }

  /** What nobody waits for any more is no longer asked. */
  private tidy(): void {
    const now = this.options.timers.now();
    const { size } = this.questions;
    for (const [path, { waiting, lastWaitMillis, everyMillis }] of this.questions) {
      if (waiting.size === 0 && now - lastWaitMillis > everyMillis + LEFT_MILLIS) {
        this.questions.delete(path);
      }
    }
    if (this.questions.size < size) {
      this.reopen();
    }
  }

  private tell(question: Question): void {
    const waiting = [...question.waiting];
    question.waiting.clear();
    waiting.forEach((one) => one());
  }
}
