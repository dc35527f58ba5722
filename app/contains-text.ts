import { sql, type Expression, type RawBuilder } from 'kysely';

/** What a list is searched for: without blanks around it, which come along with copied texts; null does not filter. */
export function searchedText(q: string | undefined): string | null {
  const text = q?.trim() ?? '';
  return text === '' ? null : text;
}

/** SQL condition: `text` holds `part`, in any case and with е for ё. A text that is null holds nothing. */
export function containsText(text: string, part: string): string {
  return `coalesce(strpos(${folded(text)}, ${folded(part)}), 0) > 0`;
}

/** SQL of a text as it is compared. */
export function folded(text: string): string {
  return `translate(lower(${text}), 'ё', 'е')`;
}

/** The same condition for typed statements: `text` holds `part`, in any case and with е for ё. */
export function holdsText(text: Expression<string | null>, part: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(strpos(translate(lower(${text}), 'ё', 'е'), translate(lower(${part}), 'ё', 'е')), 0) > 0`;
}
