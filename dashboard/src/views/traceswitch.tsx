// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Stops or resumes the tracing of one class, where the class is looked at. Where that cannot be, something else is said. */
import { useEffect } from "preact/hooks";
import type { Settings } from "../lib/contract";
import { innermost } from "../lib/format";
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
  const needsToken = settings.control === "token";
  const words = off ? "trace again" : "stop tracing";
  const refused = store.refused?.key === setting ? store.refused.reason : null;
  return (
    <>
      <button
        type="button"
        class="text-button trace-switch"
        aria-label={`${words}: ${innermost(className)}`}
        title={
          needsToken
            ? `To ${words}, this page needs its token, which is asked for first`
            : `Sets ${setting} until it is undone in the settings`
        }
        onClick={() => {
          const act = (of: Settings) => void store.set(setting, switched(of, setting, className, off));
          if (needsToken) {
            store.askToken(`${words}: ${innermost(className)}`, act);
          } else {
            act(settings);
          }
        }}
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
