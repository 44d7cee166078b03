// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import org.apache.pekko.actor.NoSerializationVerificationNeeded;

/** An event that nobody subscribes to; the recorder knows it by name. */
record Published() implements NoSerializationVerificationNeeded {}
