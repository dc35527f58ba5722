import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';

/** What a list is searched for: without blanks around it, which come along with copied texts; null does not filter. */
export function searchedText(q: string | undefined): string | null {
  const text = q?.trim() ?? '';
  return text === '' ? null : text;
}

/** The condition that `text` holds `part`, in any case and with е for ё. A null text holds nothing; a null part filters nothing. */
export function contains(text: Expression<string | null>, part: string | null): RawBuilder<SqlBool> {
  if (part === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(strpos(${foldedCase(text)}, ${foldedCase(sql`${part}::text`)}), 0) > 0`;
}

/** A text as it is compared: in lower case and with е for ё. */
export function foldedCase(text: Expression<string | null>): RawBuilder<string> {
  return sql<string>`translate(lower(${text}), 'ё', 'е')`;
}
