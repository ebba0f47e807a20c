/** Words that go with a number. */

/** A number and what it counts: `1 file`, `2 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export type Tag = (strings: TemplateStringsArray, ...values: readonly unknown[]) => string;

/** A text that has forms for one and for many, in the one that goes with a number. */
export function formFor(count: number, text: string): string {
  return text.replace(/\[([^[\]|]*)\|([^[\]|]*)\]/g, count === 1 ? "$1" : "$2");
}

/** Tags a sentence that has forms for one and for many: `file[|s] [was|were] read`. */
export function inForm(count: number): Tag {
  return (strings, ...values) =>
    String.raw({ raw: strings.map((part) => formFor(count, part)) }, ...values);
}
