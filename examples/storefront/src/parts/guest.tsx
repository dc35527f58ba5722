import type { ReactNode } from 'react';
import { t } from '../texts.ts';

/** Problems of a rejected order by field. */
export type FieldProblems = Readonly<Record<string, string>>;

const FIELDS = [
  { name: 'name', field: 'customer.name', maxLength: 60, autoComplete: 'name', required: true },
  {
    name: 'phone',
    field: 'customer.phone',
    maxLength: 60,
    autoComplete: 'tel',
    required: true,
    type: 'tel',
  },
  { name: 'comment', field: 'comment', maxLength: 500, autoComplete: 'off', required: false },
] as const;

export function GuestFields({ problems }: { problems: FieldProblems }): ReactNode {
  return (
    <fieldset>
      <legend>{t('checkout.contacts')}</legend>
      {FIELDS.map(({ field, ...input }) => {
        const problem = problems[field];
        const id = `problem-${input.name}`;
        return (
          <label key={field}>
            {t(`checkout.${input.name}`)}
            <input
              {...input}
              data-key={`guest-${input.name}`}
              aria-invalid={problem !== undefined}
              aria-describedby={problem === undefined ? undefined : id}
            />
            {problem !== undefined && (
              <span id={id} className="finding">
                {problem}
              </span>
            )}
          </label>
        );
      })}
    </fieldset>
  );
}

export const showsProblem = (field: string): boolean => FIELDS.some((each) => each.field === field);
