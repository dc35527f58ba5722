import { shown, valueAt } from '../pure/fields.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import type { Field } from './field.tsx';
import css from './form.module.css';
import parts from './parts.module.css';

type ConflictProps = {
  fields: readonly Field[];
  /** The record as read, as it is now, and as typed. */
  sides: readonly [before: unknown, theirs: unknown, mine: unknown];
  zone: string;
  keepMine: () => void;
  takeTheirs: () => void;
};

/** Shows an edit that another person has overtaken. No typed text is lost. */
export function Conflict({
  fields,
  sides: [before, theirs, mine],
  zone,
  keepMine,
  takeTheirs,
}: ConflictProps) {
  const formatField = (field: Field, record: unknown) =>
    [shown(field, valueAt(record, field.name), zone)].flat().map(String).join(', ');
  return (
    <div role="alert" className={parts['error']}>
      <strong>{t('conflict.title')}</strong>
      <p>{t('conflict.text')}</p>
      <table className={css['conflict']}>
        <thead>
          <tr>
            <th>{t('conflict.field')}</th>
            <th>{t('conflict.before')}</th>
            <th>{t('conflict.theirs')}</th>
            <th>{t('conflict.mine')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field.name}>
              <th scope="row">{field.label}</th>
              <td>{formatField(field, before)}</td>
              <td>{formatField(field, theirs)}</td>
              <td>{[valueAt(mine, field.name)].flat().map(String).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={parts['row']}>
        <Button look="primary" onPress={keepMine}>
          {t('conflict.keepMine')}
        </Button>
        <Button onPress={takeTheirs}>{t('conflict.takeTheirs')}</Button>
      </div>
    </div>
  );
}
