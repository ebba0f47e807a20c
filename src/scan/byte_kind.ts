/**
 * The kinds of bytes that a file may hold.
 *
 * @module
 */

export interface ByteKind {
  isAscii: boolean;
  isUtf8: boolean;
  hasNul: boolean;
}

export type NotText = "binary" | "not_utf8";
