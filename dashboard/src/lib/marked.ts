// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The text of a setting has the documentation's marks: names in backticks, and links. */

export interface Piece {
  readonly text: string;
  readonly code: boolean;
  /** The page of the documentation that it points to; empty for none. */
  readonly page: string;
}

const MARK = /`([^`]+)`|\[([^\]]+)\]\(([^)#\s]+)[^)]*\)/g;

export function pieces(marked: string): readonly Piece[] {
  const found: Piece[] = [];
  let at = 0;
  const plain = (until: number) => {
    if (until > at) {
      found.push({ text: marked.slice(at, until), code: false, page: "" });
    }
  };
  for (const match of marked.matchAll(MARK)) {
    plain(match.index);
    const [whole, code, text = "", page = ""] = match;
    found.push(code === undefined ? { text, code: false, page } : { text: code, code: true, page: "" });
    at = match.index + whole.length;
  }
  plain(marked.length);
  return found;
}

/** Words as a sentence. */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
