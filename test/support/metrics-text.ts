export type Sample = { name: string; labels: Record<string, string>; value: number };

export function parseSamples(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const match = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
      if (match === null) throw new Error(`not a sample: ${line}`);
      const [, name = '', labels = '', value] = match;
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
        ([, key = '', text = '']) => [key, text],
      );
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

export async function scrape(opsUrl: string): Promise<Sample[]> {
  const response = await fetch(`${opsUrl}/metrics`);
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`);
  return parseSamples(await response.text());
}

/** Returns the product's metrics in a PromQL expression, without the suffixes of histograms. */
export function metricsIn(expression: string): string[] {
  const names = [...expression.matchAll(/\b(?:erp|carte|temporal)_[a-z0-9_]+/g)].map(
    ([name]) => name,
  );
  return [
    ...new Set(names.map((name) => name.replace(/_seconds_(bucket|sum|count)$/, '_seconds'))),
  ];
}
