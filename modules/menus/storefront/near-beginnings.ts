/** Shorter beginnings are ambiguous. */
const SHORTEST = 5;
const SLIPS = 1;
/** First letters that sound alike without stress: «опельсин», «акрошка», «еичница». */
const SOUNDS: Readonly<Record<string, string>> = { о: 'а', е: 'и', э: 'и', я: 'и' };

/**
 * Returns terms that begin with `typed` except for one wrong, missing or extra letter. Empty for
 * short words.
 */
export function nearBeginnings(typed: string, terms: Iterable<string>): string[] {
  if (typed.length < SHORTEST) return [];
  const sound = soundOf(typed);
  const rest = typed.slice(1);
  const near: string[] = [];

  for (const term of terms)
    // Other typos in the first letter are not corrected, which keeps the search fast and its
    // results relevant.
    if (
      soundOf(term) === sound &&
      term.length >= typed.length - SLIPS &&
      distanceToBeginning(rest, term.slice(1)) <= SLIPS
    )
      near.push(term);

  return near;
}

function soundOf(word: string): string | undefined {
  return SOUNDS[word[0] ?? ''] ?? word[0];
}

/** Counts edits until `typed` is a prefix of `term`. */
function distanceToBeginning(typed: string, term: string): number {
  // Limits columns to letters of the term that can matter.
  const length = Math.min(term.length, typed.length + SLIPS);
  let row = Array.from({ length: length + 1 }, (_, at) => at);

  for (let line = 1; line <= typed.length; line += 1) {
    const next = [line];
    for (let at = 1; at <= length; at += 1) {
      const changed = row[at - 1]! + (typed[line - 1] === term[at - 1] ? 0 : 1);
      next.push(Math.min(changed, row[at]! + 1, next[at - 1]! + 1));
    }
    row = next;
  }

  return Math.min(...row);
}
