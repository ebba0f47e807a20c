/**
 * Memory that WebAssembly searches: the bytes of files, and the texts to find in them.
 *
 * @module
 */

import { MAX_ALL_OF, MAX_ANY_OF } from "../regex/prefilter.ts";
import { bytesOfBase64 } from "../util/bytes.ts";
import { COMPILED } from "./byte_search_wasm.ts";

interface Functions {
  classify(at: number, end: number): number;
  lines(at: number, end: number): number;
  find(
    at: number,
    end: number,
    text: number,
    length: number,
    first: number,
    second: number,
  ): number;
  findAny(at: number, end: number, texts: number, count: number, tables: number): number;
}

const PAGE_BYTES = 65_536;
/** After the bytes come those that are read after their end, then the texts. */
const SLACK_BYTES = 32;
/** After the texts come the tables of `findAny`, and a description of each text. */
const TABLE_BYTES = 5 * 16;
const ENTRY_BYTES = 16;
/** Only this much of a longer text is searched for. */
export const MAX_TEXT_BYTES = 256;

/** Memory of a fixed size whose bytes can be searched. */
export class ByteMemory {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly functions: Functions;
  /** The offset of the texts, and room for them. */
  readonly textsAt: number;
  readonly texts: Uint8Array;
  /** The offsets of the tables of `findAny` and of its descriptions of the texts. */
  readonly tablesAt: number;
  readonly entriesAt: number;
  /** The search whose texts the memory holds. */
  owner?: object;

  private constructor(size: number) {
    this.textsAt = size + SLACK_BYTES;
    this.tablesAt = this.textsAt + 2 * MAX_TEXT_BYTES * (MAX_ANY_OF + MAX_ALL_OF);
    this.entriesAt = this.tablesAt + TABLE_BYTES;
    const end = this.entriesAt + ENTRY_BYTES * MAX_ANY_OF;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE_BYTES) });
    compiled ??= new WebAssembly.Module(bytesOfBase64(COMPILED));
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
    this.functions = exports as unknown as Functions;
    this.bytes = new Uint8Array(memory.buffer as ArrayBuffer, 0, size);
    this.texts = new Uint8Array(memory.buffer, this.textsAt);
  }

  /**
   * Memory of a size in bytes; nothing if the processor lacks the instructions, or the system the
   * memory.
   */
  static create(size: number): ByteMemory | undefined {
    try {
      return new ByteMemory(size);
    } catch (error) {
      if (error instanceof WebAssembly.CompileError || error instanceof RangeError) {
        return undefined;
      }
      throw error;
    }
  }
}

let compiled: WebAssembly.Module | undefined;
