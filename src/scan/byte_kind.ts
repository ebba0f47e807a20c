/**
 * The kinds of bytes that a file may hold.
 *
 * @module
 */

/** The result of classifying bytes. */
export interface ByteKind {
  isAscii: boolean;
  isUtf8: boolean;
  hasNul: boolean;
}

/** Why bytes are not text. */
export type NotText = "binary" | "not_utf8";
