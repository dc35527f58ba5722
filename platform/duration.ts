const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `45s`, `5m`, `1h`, `250ms`, `14d` into milliseconds; undefined when the text is something else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
}
