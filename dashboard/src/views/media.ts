// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import { useEffect, useState } from "preact/hooks";

/** Whether a media query holds, now and when that changes. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const changed = () => setHolds(list.matches);
    changed();
    list.addEventListener("change", changed);
    return () => list.removeEventListener("change", changed);
  }, [query]);
  return holds;
}
