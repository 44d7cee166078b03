// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

/** The hooks of persistence, by which the self-test asks whether each has fired. */
public enum PersistenceHook {
  WRITE,
  REQUEST,
  SEND,
  SUCCEEDED,
  REJECTED,
  FAILED,
  APPLY,
  PERMIT,
  START,
  REPLAY,
  RECOVERED,
  TYPED_NAME,
  TYPED_PERSIST,
  TYPED_PERSIST_ALL,
  TYPED_RESPONSE,
  TYPED_PERMIT,
  TYPED_LOAD,
  TYPED_RECOVERED,
  SNAPSHOT_LOAD,
  SNAPSHOT_SAVE,
  SNAPSHOT_SAVING,
  SNAPSHOT_SAVED,
  SNAPSHOT_FAILED,
  TYPED_SNAPSHOT_SAVING,
  STATE_NAME,
  STATE_PERMIT,
  STATE_GET,
  STATE_RECOVERED,
  STATE_WRITE,
  STATE_ANSWER
}
