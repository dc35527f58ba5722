/**
 * Restarts the program in the same process (same pid, same streams) with settings of V8 and of the
 * environment that can only be given at its start. Returns when it runs with them, and where a
 * process cannot be replaced. What the operator has given (`NODE_OPTIONS`, the command line, the
 * environment) stays as it is. To be called before anything else is loaded.
 */
export function restartWith(v8Options: readonly string[], environment: Readonly<Record<string, string>> = {}): void {
  const given = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)].map(nameOf);
  const lacking = v8Options.filter((option) => !given.includes(nameOf(option)));
  const isSet = Object.keys(environment).every((name) => process.env[name] !== undefined);
  if (process.platform === 'win32' || (lacking.length === 0 && isSet)) return;
  const [, ...args] = process.argv;
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...lacking, ...args], {
    ...environment,
    ...process.env,
  });
}

const nameOf = (option: string): string => option.split('=')[0]!.replaceAll('_', '-');
