// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Saves a dump of what the page knows, and opens one. */
import { useState } from "preact/hooks";
import { fetchDump } from "../api";
import { reasonOf } from "../lib/poll";
import type { Store } from "../store";

/** @param saves whether there is a process of which a dump can be saved */
export function DumpTools({ store, saves }: { store: Store; saves: boolean }) {
  const [said, setSaid] = useState("");
  const save = async () => {
    setSaid("Saving …");
    try {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await fetchDump());
      link.download = `deimos-${store.state?.service ?? "dump"}-${new Date().toISOString().replace(/[:.]/g, "-")}.json.gz`;
      link.click();
      URL.revokeObjectURL(link.href);
      setSaid("Saved.");
    } catch (error) {
      setSaid(`Not saved: ${reasonOf(error)}.`);
    }
  };
  const open = (file: File | undefined) => {
    if (file !== undefined) {
      store.openDump(file).then(
        () => setSaid(""),
        (error: unknown) => setSaid(`Not opened: ${reasonOf(error)}.`),
      );
    }
  };
  return (
    <p class="dump-tools">
      {saves && store.dump === null && (
        <button type="button" class="toggle" id="dump-save" onClick={() => void save()}>
          Save a dump
        </button>
      )}
      <label class="toggle">
        Open a dump …
        <input
          id="dump-open"
          type="file"
          accept=".gz,.json"
          onChange={(event) => open(event.currentTarget.files?.[0])}
        />
      </label>
      <span class="dim" role="status">
        {said === "" ? "All that this page knows, in one file that this page can open anywhere." : said}
      </span>
    </p>
  );
}
