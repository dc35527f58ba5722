/**
 * Restarts the program in the same process (same pid, same streams) with settings of V8 and of the environment that can only be given at its start.
 * Returns when it runs with them, and where a process cannot be replaced. To be called before anything else is loaded.
 */
export function restartWith(v8Options: readonly string[], environment: Readonly<Record<string, string>> = {}): void {
  if (process.platform === 'win32' || v8Options.every((option) => process.execArgv.includes(option))) return;
  const [, ...args] = process.argv;
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...v8Options, ...args], {
    ...process.env,
    ...environment,
  });
}
