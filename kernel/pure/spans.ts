/** Half-open, in ms since 1970. */
export type Span = { from: number; to: number };

/** Sorts and joins spans (also adjacent ones), and drops empty ones. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];

  for (const { from, to } of spans
    .filter((span) => span.from < span.to)
    .toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }

  return joined;
}

/** Intersects two lists of sorted, joined spans. */
export function commonSpans(one: readonly Span[], other: readonly Span[]): Span[] {
  return one.flatMap((a) =>
    other.flatMap((b) => {
      const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
      return from < to ? [{ from, to }] : [];
    }),
  );
}

/** Requires a sorted, joined list. */
export const spanAt = (spans: readonly Span[], at: number): Span | undefined =>
  spans.find((span) => span.from <= at && at < span.to);

/** Returns the span that contains `at`, or the next one. */
export const spanAtOrAfter = (spans: readonly Span[], at: number): Span | undefined =>
  spans.find((span) => at < span.to);
