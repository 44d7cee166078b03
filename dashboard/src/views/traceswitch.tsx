// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Stops or resumes the tracing of one class, where the class is looked at. Where that cannot be, something else is said. */
import { useEffect } from "preact/hooks";
import { innermost } from "../lib/format";
import { SETTINGS_HASH } from "../lib/route";
import { isSwitchedOff, switched } from "../lib/switches";
import type { Store } from "../store";

export function TraceSwitch(props: { store: Store; setting: string; className: string; otherwise?: string }) {
  const { store, setting, className, otherwise = "" } = props;
  useEffect(() => {
    if (store.settings === null) {
      store.askSettings();
    }
  }, []);
  const { settings } = store;
  const off = isSwitchedOff(settings, setting, className);
  if (settings === null || off === null || settings.control === "off" || store.isOfAnother) {
    return <>{otherwise}</>;
  }
  const words = off ? "trace again" : "stop tracing";
  if (settings.control === "token") {
    return (
      <a class="link" href={SETTINGS_HASH} title={`To ${words}, this page needs its token`}>
        {words}
      </a>
    );
  }
  const refused = store.refused?.key === setting ? store.refused.reason : null;
  return (
    <>
      <button
        type="button"
        class="text-button trace-switch"
        aria-label={`${words}: ${innermost(className)}`}
        title={`Sets ${setting} until it is undone in the settings`}
        onClick={() => void store.set(setting, switched(settings, setting, className, off))}
      >
        {words}
      </button>
      {refused !== null && (
        <span class="refused" role="alert">
          {refused}
        </span>
      )}
    </>
  );
}
