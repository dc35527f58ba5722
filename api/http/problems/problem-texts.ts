import type { FieldError, Problem } from '../../../kernel/problem.ts';
import { namedFields, shownErrors } from '../../../kernel/pure/problem-sentence.ts';
import { staffFieldError, staffSentence } from '../../../kernel/staff-sentences.ts';
import { staffText } from '../../../kernel/staff-text.ts';

type ProblemTexts = {
  title: string;
  detail: string;
  errors?: FieldError[];
  errorsOmitted?: number;
};

/**
 * Returns texts in the language of staff, or in English in the storefront API (rule HTTP-111). If a
 * text has no translation, the text of its kind or code is used.
 */
export function problemTexts({ kind, details: { detail, errors } }: Problem): ProblemTexts {
  const shown = errors === undefined ? undefined : shownErrors(errors);
  const translated = shown && { ...shown, errors: shown.errors.map(staffFieldError) };
  const fields =
    translated && namedFields(translated, (rest) => staffText('problem.more', { rest }));

  return {
    title: staffText(`problem.${kind}.title`),
    detail:
      detail === undefined
        ? (fields ?? staffText(`problem.${kind}.detail`))
        : staffSentence(detail, `problem.${kind}.detail`),
    ...translated,
  };
}
