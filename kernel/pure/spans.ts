/** A stretch of time from `from` up to, and without, `to`, in milliseconds since 1970. */
export type Span = { from: number; to: number };

/** The spans sorted, with those that overlap or touch joined into one. Empty ones are left out. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { from, to } of spans.filter((span) => span.from < span.to).toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** The time that lies in a span of both lists, which are sorted and joined. */
export function commonSpans(one: readonly Span[], other: readonly Span[]): Span[] {
  return one.flatMap((a) =>
    other.flatMap((b) => {
      const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
      return from < to ? [{ from, to }] : [];
    }),
  );
}

/** The span that `at` lies in, of a list that is sorted and joined. */
export const spanAt = (spans: readonly Span[], at: number): Span | undefined =>
  spans.find((span) => span.from <= at && at < span.to);

/** The span that `at` lies in, else the next one. */
export const spanAtOrAfter = (spans: readonly Span[], at: number): Span | undefined =>
  spans.find((span) => at < span.to);
