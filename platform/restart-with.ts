/**
 * Replaces the process (same pid and streams) to apply V8 options and environment variables that
 * must be set at the start. Returns if they are set already or processes cannot be replaced. Keeps
 * settings of the operator (`NODE_OPTIONS`, command line, environment). Call it before anything
 * else is loaded.
 */
export function restartWith(
  v8Options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): void {
  const given = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)].map(
    nameOf,
  );
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
