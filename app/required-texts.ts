import { Problem, type FieldError } from '../contracts/problem.ts';

/** The longest a text may be, in characters after trimming. */
type Limits<Field extends string> = Readonly<Record<Field, number>>;

/**
 * Trims the named texts and returns them. Throws one `validation` problem that names every text that is empty, too
 * long, or holds control characters (the database refuses some of them, and none belongs in a name or a secret).
 */
export function requiredTexts<Field extends string>(
  input: Readonly<Record<Field, string>>,
  limits: Limits<Field>,
): Record<Field, string> {
  const fields = Object.keys(limits) as Field[];
  const texts = Object.fromEntries(fields.map((field) => [field, input[field].trim()])) as Record<Field, string>;
  const errors = fields.flatMap((field) => problemOf(field, texts[field], limits[field]) ?? []);
  if (errors.length > 0) throw new Problem('validation', { errors });
  return texts;
}

function problemOf(field: string, text: string, longest: number): FieldError | undefined {
  if (text === '') return { field, code: 'required', message: 'Must not be empty' };
  if (Array.from(text).length > longest) return { field, code: 'max_length', message: `At most ${longest} characters` };
  if (/\p{Cc}/u.test(text)) return { field, code: 'invalid', message: 'Must not contain control characters' };
  return undefined;
}
