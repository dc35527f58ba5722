import { Problem, type FieldError } from './problem.ts';
import { INVISIBLE } from './pure/erp-text.ts';

/** The longest a text may be, in characters after trimming. */
type Limits<Field extends string> = Readonly<Record<Field, number>>;

/**
 * Characters that a text must not contain. Invisible characters in a name or a secret would make
 * two of them look equal. Free texts may have line breaks.
 */
const REFUSED = { name: new RegExp(`\\p{Cc}|${INVISIBLE.source}`, 'u'), words: /(?![\t\n\r])\p{Cc}/u } as const;

/**
 * Trims the named texts and returns them. Throws one `validation` problem with every text that is
 * empty, too long, or contains control or invisible characters (the database rejects some of them);
 * in `words` tabs and line breaks are allowed.
 */
export function requiredTexts<Field extends string>(
  input: Readonly<Record<Field, string>>,
  limits: Limits<Field>,
  kind: keyof typeof REFUSED = 'name',
): Record<Field, string> {
  const fields = Object.keys(limits) as Field[];
  const texts = Object.fromEntries(fields.map((field) => [field, input[field].trim()])) as Record<Field, string>;
  const errors = fields.flatMap((field) => problemOf(field, texts[field], limits[field], REFUSED[kind]) ?? []);
  if (errors.length > 0) throw new Problem('validation', { errors });
  return texts;
}

/** Returns true if a text has no visible characters. */
export const isBlank = (text: string): boolean => text.replaceAll(INVISIBLE, '').trim() === '';

function problemOf(field: string, text: string, longest: number, refused: RegExp): FieldError | undefined {
  if (isBlank(text)) return { field, code: 'required', message: 'Must not be empty' };
  if (Array.from(text).length > longest) return { field, code: 'max_length', message: `At most ${longest} characters` };
  if (refused.test(text))
    return { field, code: 'invalid', message: 'Must not contain control or invisible characters' };
  return undefined;
}
