export function wholeFrom(name: string, byDefault: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return byDefault;
  if (!/^\d+$/.test(text)) throw new Error(`${name} must be a whole number, not "${text}".`);
  return Number(text);
}

/** Returns one of the words from the environment, by default the first. */
export function oneOfWords<const T extends string>(name: string, words: readonly [T, ...T[]]): T {
  const text = process.env[name] || words[0];
  const word = words.find((value) => value === text);
  if (word === undefined)
    throw new Error(`${name} must be one of ${words.join(', ')}, not "${text}".`);
  return word;
}

/** Calls `stop` and ends the process on SIGTERM, on SIGINT, and when its parent ends. */
export function stopOnSignals(stop: () => Promise<void>): void {
  const end = (): void => {
    void stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.once('disconnect', end);
}

export function startFault(
  error: unknown,
  server: string,
  place: { host: string; port: number; variable: string },
): string {
  if (!(error instanceof Error)) return `${server} could not start.`;
  if ('code' in error && error.code === 'EADDRINUSE') {
    const { host, port, variable } = place;
    return `${server} cannot start: port ${port} on ${host} is in use. Set ${variable} to a free port.`;
  }

  return `${server} cannot start: ${error.message}`;
}
