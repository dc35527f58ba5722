/**
 * Replaces the process (same pid and streams) to set V8 options and environment variables.
 * Returns if they are set or processes cannot be replaced. Call it before loading anything else.
 */
export function restartWith(
  v8Options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): void {
  const optionNames = [
    ...process.execArgv,
    ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/),
  ].map(normalizeName);
  const lacking = v8Options.filter((option) => !optionNames.includes(normalizeName(option)));
  const isSet = Object.keys(environment).every((name) => process.env[name] !== undefined);
  if (process.platform === 'win32' || (lacking.length === 0 && isSet)) return;
  const [, ...args] = process.argv;
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...lacking, ...args], {
    ...environment,
    ...process.env,
  });
}

const normalizeName = (option: string): string => option.split('=')[0]!.replaceAll('_', '-');
