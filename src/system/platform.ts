/**
 * The platform: the operating system and what the runtime brings.
 *
 * @module
 */

/** The name of the operating system. */
export const OS: string = Deno.build.os;
/** Whether the program is compiled, with the runtime and its permissions. */
export const IS_COMPILED: boolean = Deno.build.standalone;

export const workingDirectory: () => string = Deno.cwd;

/** The path rules of Windows. */
export const windowsPaths = async () => (await import("node:path")).win32;

/** Starts a thread; throws where it may not read its program. */
export function startWorker(program: URL): Worker {
  return new Worker(program, { type: "module", name: "pathgrep" });
}

/**
 * A script that can be stopped: `node:vm` is the only way to end a running expression.
 *
 * @param globals the variables that it has
 * @returns runs it for at most so many milliseconds; returns whether it ended by itself
 */
export function stoppableScript(script: string, globals: object): (timeout: number) => boolean {
  const vm = process.getBuiltinModule("node:vm");
  const context = vm.createContext(globals);
  const compiled = new vm.Script(script);
  return (timeout) => {
    try {
      compiled.runInContext(context, { timeout });
      return true;
    } catch (thrown) {
      if ((thrown as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw thrown;
      return false;
    }
  };
}
