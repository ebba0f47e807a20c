/**
 * The project whose searches are counted: always the same, in the way of sources of TypeScript.
 *
 * @module
 */

const PACKAGES = ["accounts", "billing", "catalog", "delivery", "orders", "reports", "search"];
const PARTS = ["client", "errors", "model", "repository", "routes", "service", "validation"];

/** Every file of the project, by its path. */
export function project(): Record<string, string> {
  const files: Record<string, string> = {
    "README.md": "# Market\n\nA shop with an API.\n\nTODO: say how it is deployed\n",
    // What a build leaves behind, in one line.
    "public/app.min.js": bundle(),
  };
  for (const [index, name] of PACKAGES.entries()) {
    for (const [part, title] of PARTS.entries()) {
      files[`packages/${name}/src/${title}.ts`] = source(name, title, index * PARTS.length + part);
    }
    files[`packages/${name}/README.md`] = `# ${capital(name)}\n\nThe ${name} of the shop.\n`;
  }
  return files;
}

function source(name: string, part: string, number: number): string {
  const type = capital(name) + capital(part);
  const other = PACKAGES[(number + 3) % PACKAGES.length]!;
  const lines = [
    `import { logger } from "../../shared/src/logger.ts";`,
    `import type { ${capital(other)}Model } from "../../${other}/src/model.ts";`,
    ...number % 3 === 0 ? [`import { parsePrice } from "../../billing/src/validation.ts";`] : [],
    "",
    `/** The ${part} of ${name}. */`,
    `export class ${type} {`,
    `  readonly #entries = new Map<string, ${capital(other)}Model>();`,
    "",
    `  async find${capital(name)}(id: string): Promise<${capital(other)}Model> {`,
    `    const entry = this.#entries.get(id);`,
    `    if (entry === undefined) {`,
    `      throw new NotFoundError(\`${name}: no entry \${id}\`);`,
    `    }`,
    ...number % 4 === 0 ? [`    // TODO: look into the cache of ${other} first`] : [],
    `    logger.debug("found", { id, package: "${name}" });`,
    `    return await Promise.resolve(entry);`,
    `  }`,
    "",
    ...number % 3 === 0
      ? [
        `  total(prices: readonly string[]): number {`,
        `    return prices.map((price) => parsePrice(price)).reduce((a, b) => a + b, 0);`,
        `  }`,
      ]
      : [
        `  names(): string[] {`,
        `    return [...this.#entries.keys()].sort();`,
        `  }`,
      ],
    "}",
    "",
    ...number % 5 === 0
      ? [`export function cartTotal${number}() { return 0; } // cartTotal`, ""]
      : [],
  ];
  return lines.join("\n");
}

function bundle(): string {
  const statements = Array.from(
    { length: 1500 },
    (_, number) => `function f${number}(e,t){return e[${number}]?t(e):${number}}`,
  );
  statements.splice(700, 0, "function cartTotal(e){return e.reduce((e,t)=>e+t,0)}");
  return statements.join(";") + "\n";
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
