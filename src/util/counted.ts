/** Words that go with a number. */

/** A number and what it counts: `1 file`, `2 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export type Tag = (strings: TemplateStringsArray, ...values: readonly unknown[]) => string;

/** Tags a sentence that has forms for one and for many: `file[|s] [was|were] read`. */
export function inForm(count: number): Tag {
  return (strings, ...values) => {
    const form = count === 1 ? "$1" : "$2";
    const raw = strings.map((part) => part.replace(/\[([^[\]|]*)\|([^[\]|]*)\]/g, form));
    return String.raw({ raw }, ...values);
  };
}
