// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

/**
 * Marks the messages that may leave this JVM; {@code application.conf} binds it to Jackson CBOR.
 */
interface CborSerializable {}
