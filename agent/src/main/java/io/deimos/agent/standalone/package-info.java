// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** The page as a process of its own, without an application and without an agent. */
@NullMarked
package io.deimos.agent.standalone;

import org.jspecify.annotations.NullMarked;
