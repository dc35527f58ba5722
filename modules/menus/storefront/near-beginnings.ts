/** Fewer letters are not enough to detect a misspelled beginning. */
const SHORTEST = 5;
const SLIPS = 1;
/**
 * First letters that sound the same without stress, under one of them: «опельсин», «акрошка»,
 * «еичница».
 */
const SOUNDS: Readonly<Record<string, string>> = { о: 'а', е: 'и', э: 'и', я: 'и' };

/**
 * The terms that begin with `typed` but for one slip: a letter that is wrong, missing or too many.
 * A first letter that sounds like the right one is no slip. For a word that is still being typed
 * and misspelt as well, which neither its beginning nor its whole finds. Empty for short words.
 */
export function nearBeginnings(typed: string, terms: Iterable<string>): string[] {
  if (typed.length < SHORTEST) return [];
  const sound = soundOf(typed);
  const rest = typed.slice(1);
  const near: string[] = [];
  for (const term of terms)
    // Who misses the first letter in another way is not understood; it keeps the search short and
    // the finds few.
    if (
      soundOf(term) === sound &&
      term.length >= typed.length - SLIPS &&
      distanceToBeginning(rest, term.slice(1)) <= SLIPS
    )
      near.push(term);
  return near;
}

/** The first letter of a word, or the one that stands for all that sound like it. */
function soundOf(word: string): string | undefined {
  return SOUNDS[word[0] ?? ''] ?? word[0];
}

/**
 * The minimum number of letters to change, add or remove until `typed` is the beginning of `term`.
 */
function distanceToBeginning(typed: string, term: string): number {
  // Row by row of the letters typed; a column for each letter of the term that may still matter.
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
