/**
 * What the hosts of the plugin demand of its files: the rules of their published schemas and references, with
 * the sources. Where a host publishes no schema, the rules are what its documentation and its program say.
 *
 * @module
 */

/** A rule, in words of JSON Schema that mean the same there. */
export interface Rule {
  readonly type?: "object" | "array" | "string" | "number";
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: RegExp;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Above 0. */
  readonly isPositive?: boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Rule>>;
  /** Of keys without a rule of their own; `false` where there may be none. */
  readonly others?: Rule | false;
  readonly items?: Rule;
  readonly minItems?: number;
}

/** The rules of one file, and where they are published. */
export interface Manifest {
  readonly path: string;
  readonly sources: readonly string[];
  readonly rule: Rule;
}

const text: Rule = { type: "string", minLength: 1 };
const texts: Rule = { type: "array", items: text };
/** A path below the plugin's root. */
const below: Rule = { type: "string", pattern: /^\.\/(?!.*(?:^|\/)\.\.(?:\/|$)).+/ };
const address: Rule = { type: "string", pattern: /^https:\/\/\S+$/ };
const person: Rule = {
  type: "object",
  required: ["name"],
  properties: { name: text, email: text, url: text },
  others: false,
};
const described: Readonly<Record<string, Rule>> = {
  version: text,
  description: text,
  author: person,
  homepage: address,
  repository: text,
  license: text,
  keywords: texts,
};
const kebab: Rule = { type: "string", pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/ };

/** A server that a host starts; each host has other keys. */
function servers(server: Rule): Rule {
  return { type: "object", others: server };
}

/** Hooks by event; each host has other events and keys. */
function hooks(events: readonly string[], keys: Readonly<Record<string, Rule>>): Rule {
  const handler: Rule = {
    type: "object",
    required: ["type", "command"],
    properties: { type: { const: "command" }, command: text, ...keys },
    others: false,
  };
  const group: Rule = {
    type: "object",
    required: ["hooks"],
    properties: { matcher: text, hooks: { type: "array", items: handler, minItems: 1 } },
    others: false,
  };
  const byEvent = events.map((event) => [event, { type: "array", items: group }] as const);
  return {
    type: "object",
    required: ["hooks"],
    properties: {
      hooks: { type: "object", properties: Object.fromEntries(byEvent), others: false },
    },
    others: false,
  };
}

const AGENT_PLUGINS = "https://github.com/agentplugins/agent-plugins-spec/blob/main";
const portable = (name: string): Rule => ({
  const: `https://agent-plugins.org/schemas/1.0.0/${name}.schema.json`,
});
const seconds: Rule = { type: "number", isPositive: true };

/** Every file that a host reads. */
export const MANIFESTS: readonly Manifest[] = [
  {
    path: "plugin/plugin.json",
    sources: [
      `${AGENT_PLUGINS}/spec/1.0.0.md`,
      "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
    ],
    rule: {
      type: "object",
      required: ["$schema", "name"],
      properties: {
        ...described,
        $schema: portable("plugin"),
        name: {
          type: "string",
          maxLength: 64,
          pattern: /^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/,
        },
        extensions: { type: "object", others: { type: "object" } },
      },
      others: false,
    },
  },
  {
    path: "plugin/mcp.json",
    sources: [
      `${AGENT_PLUGINS}/spec/1.0.0.md`,
      "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
    ],
    rule: {
      type: "object",
      required: ["$schema", "mcpServers"],
      properties: {
        $schema: portable("mcp"),
        mcpServers: servers({
          type: "object",
          required: ["type", "command"],
          properties: {
            type: { const: "stdio" },
            // A name without a path, or a path below the plugin's root.
            command: { type: "string", pattern: /^(?:\.\/.+|[^/\\\s]+)$/ },
            args: { type: "array", items: { type: "string" } },
            env: { type: "object", others: { type: "string" } },
            cwd: { type: "string", pattern: /^(?:\.\/|\$\{PLUGIN_(?:ROOT|DATA)\}(?:\/|$))/ },
          },
          others: false,
        }),
      },
      others: false,
    },
  },
  {
    path: "plugin/.claude-plugin/plugin.json",
    sources: [
      "https://code.claude.com/docs/en/plugins/manifest-reference",
      "https://www.schemastore.org/claude-code-plugin-manifest.json",
    ],
    // Claude Code drops a key that it does not know, and its validator warns of it.
    rule: {
      type: "object",
      required: ["name"],
      properties: { ...described, name: kebab },
      others: false,
    },
  },
  {
    path: "plugin/.mcp.json",
    sources: ["https://code.claude.com/docs/en/mcp"],
    rule: {
      type: "object",
      required: ["mcpServers"],
      properties: {
        mcpServers: servers({
          type: "object",
          required: ["command"],
          properties: {
            type: { const: "stdio" },
            command: text,
            args: { type: "array", items: { type: "string" } },
            env: { type: "object", others: { type: "string" } },
          },
          others: false,
        }),
      },
      others: false,
    },
  },
  {
    path: "plugin/hooks/hooks.json",
    sources: [
      "https://code.claude.com/docs/en/hooks",
      "https://www.schemastore.org/claude-code-plugin-manifest.json",
    ],
    rule: hooks(["PostToolUse", "PostToolUseFailure"], {
      if: { type: "string", pattern: /^\w+\(.+\)$/ },
      timeout: seconds,
    }),
  },
  {
    path: ".claude-plugin/marketplace.json",
    sources: [
      "https://code.claude.com/docs/en/plugins/marketplace-reference",
      "https://www.schemastore.org/claude-code-marketplace.json",
    ],
    rule: {
      type: "object",
      required: ["name", "owner", "plugins"],
      properties: {
        name: kebab,
        version: text,
        description: text,
        owner: person,
        plugins: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            required: ["name", "source"],
            properties: {
              name: kebab,
              description: text,
              source: {
                type: "object",
                required: ["source", "package"],
                properties: {
                  source: { const: "npm" },
                  package: text,
                  version: text,
                  registry: address,
                },
                others: false,
              },
            },
            others: false,
          },
        },
      },
      others: false,
    },
  },
  {
    path: "plugin/.codex-plugin/plugin.json",
    sources: [
      "https://developers.openai.com/codex/plugins/build",
      "https://github.com/openai/codex/blob/main/codex-rs/core-plugins/src/manifest.rs",
    ],
    rule: {
      type: "object",
      required: ["name", "version", "description"],
      properties: {
        ...described,
        name: kebab,
        skills: below,
        mcpServers: below,
        hooks: below,
        interface: {
          type: "object",
          properties: {
            displayName: text,
            shortDescription: text,
            longDescription: text,
            developerName: text,
            category: text,
            capabilities: texts,
            websiteURL: address,
          },
          others: false,
        },
      },
      others: false,
    },
  },
  {
    path: "plugin/mcp.codex.json",
    sources: [
      "https://developers.openai.com/codex/plugins/build",
      "https://github.com/openai/codex/issues/22842",
    ],
    rule: {
      type: "object",
      required: ["mcpServers"],
      properties: {
        mcpServers: servers({
          type: "object",
          required: ["command"],
          properties: { command: text, args: texts, cwd: { const: "." } },
          others: false,
        }),
      },
      others: false,
    },
  },
  {
    path: "plugin/hooks/codex.json",
    sources: [
      "https://developers.openai.com/codex/hooks",
      "https://github.com/openai/codex/tree/main/codex-rs/hooks",
    ],
    rule: hooks(["PostToolUse"], { timeout: seconds }),
  },
  {
    path: ".agents/plugins/marketplace.json",
    sources: [
      "https://developers.openai.com/codex/plugins/build",
      "https://github.com/openai/codex/blob/main/codex-rs/core-plugins/src/marketplace.rs",
    ],
    rule: {
      type: "object",
      required: ["name", "plugins"],
      properties: {
        name: kebab,
        interface: { type: "object", properties: { displayName: text }, others: false },
        plugins: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            required: ["name", "source", "policy", "category"],
            properties: {
              name: kebab,
              source: {
                type: "object",
                required: ["source", "package"],
                properties: { source: { const: "npm" }, package: text },
                others: false,
              },
              policy: {
                type: "object",
                required: ["installation", "authentication"],
                properties: {
                  installation: { enum: ["NOT_AVAILABLE", "AVAILABLE", "INSTALLED_BY_DEFAULT"] },
                  authentication: { enum: ["ON_INSTALL", "ON_USE"] },
                },
                others: false,
              },
              category: text,
            },
            others: false,
          },
        },
      },
      others: false,
    },
  },
  {
    path: "plugin/gemini-extension.json",
    sources: [
      "https://geminicli.com/docs/extensions/reference",
      "https://github.com/google-gemini/gemini-cli/blob/main/packages/cli/src/config/extension-manager.ts",
    ],
    rule: {
      type: "object",
      required: ["name", "version"],
      properties: {
        name: { type: "string", pattern: /^[a-z0-9-]+$/ },
        version: { type: "string", pattern: /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/ },
        description: text,
        mcpServers: servers({
          type: "object",
          required: ["command"],
          // Every key of a server in settings but `trust`.
          properties: { command: { type: "string", pattern: /^\S+$/ }, args: texts, cwd: text },
          others: false,
        }),
      },
      others: false,
    },
  },
  {
    path: "plugin/hooks/gemini.json",
    sources: ["https://geminicli.com/docs/hooks/reference"],
    rule: hooks(["AfterTool"], { name: text, timeout: seconds }),
  },
  {
    path: "server.json",
    sources: [
      "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      "https://github.com/modelcontextprotocol/registry/tree/main/docs/reference/server-json",
    ],
    rule: {
      type: "object",
      required: ["$schema", "name", "description", "version"],
      properties: {
        $schema: {
          const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        },
        name: {
          type: "string",
          minLength: 3,
          maxLength: 200,
          pattern: /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/,
        },
        title: { ...text, maxLength: 100 },
        description: { ...text, maxLength: 100 },
        // A single version, no range.
        version: { type: "string", maxLength: 255, pattern: /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/ },
        websiteUrl: address,
        repository: {
          type: "object",
          required: ["url", "source"],
          properties: { url: address, source: text, subfolder: text, id: text },
          others: false,
        },
        packages: {
          type: "array",
          items: {
            type: "object",
            required: ["registryType", "identifier", "transport"],
            properties: {
              registryType: { enum: ["npm"] },
              registryBaseUrl: address,
              identifier: text,
              version: { type: "string", pattern: /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/ },
              transport: {
                type: "object",
                required: ["type"],
                properties: { type: { const: "stdio" } },
                others: false,
              },
              packageArguments: {
                type: "array",
                items: {
                  type: "object",
                  required: ["type", "value"],
                  properties: { type: { const: "positional" }, value: text },
                  others: false,
                },
              },
            },
            others: false,
          },
        },
      },
      others: false,
    },
  },
];

/** The front matter of a skill, by https://agentskills.io/specification. */
export const SKILL: Rule = {
  type: "object",
  required: ["name", "description"],
  properties: {
    name: { ...kebab, maxLength: 64 },
    description: { ...text, maxLength: 1024 },
    license: text,
    metadata: { type: "object", others: text },
  },
  others: false,
};

/** What a value breaks of a rule, each with where. */
export function broken(value: unknown, rule: Rule, at = ""): string[] {
  const problems: string[] = [];
  const says = (problem: string) => problems.push(`${at || "/"}: ${problem}`);
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (rule.type !== undefined && rule.type !== type) {
    return [`${at || "/"}: is not of type ${rule.type}`];
  }
  if ("const" in rule && value !== rule.const) says(`is not ${JSON.stringify(rule.const)}`);
  if (rule.enum !== undefined && !rule.enum.includes(value)) says("is none of the values");
  if (rule.isPositive && !(Number(value) > 0)) says("is not above 0");
  if (typeof value === "string") {
    if (rule.pattern !== undefined && !rule.pattern.test(value)) says("does not fit the pattern");
    if (value.length < (rule.minLength ?? 0)) says("is too short");
    if (value.length > (rule.maxLength ?? Infinity)) says("is too long");
  }
  if (Array.isArray(value)) {
    if (value.length < (rule.minItems ?? 0)) says("has too few items");
    if (rule.items !== undefined) {
      value.forEach((item, index) => problems.push(...broken(item, rule.items!, `${at}/${index}`)));
    }
  } else if (type === "object") problems.push(...brokenKeys(value as object, rule, at));
  return problems;
}

function brokenKeys(
  value: object,
  { required = [], properties, others }: Rule,
  at: string,
): string[] {
  const missing = required.filter((key) => !(key in value));
  return [
    ...missing.map((key) => `${at || "/"}: ${key} is missing`),
    ...Object.entries(value).flatMap(([key, each]) => {
      const rule = properties?.[key] ?? others;
      if (rule === false) return [`${at}/${key}: is not known`];
      return rule === undefined ? [] : broken(each, rule, `${at}/${key}`);
    }),
  ];
}
