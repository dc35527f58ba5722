import { useAction } from '../../data/action.ts';
import type { Data, Input } from '../../data/api.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import css from '../../parts/parts.module.css';
import { toText } from '../../pure/fields.ts';
import { t } from '../../texts/texts.ts';

type Body = Input<'bulkBindingIncidents'>[0];

export function IncidentBulk({ ids, onDone }: { ids: readonly number[]; onDone: () => void }) {
  const bulk = useAction('bulkBindingIncidents');
  const reason = ids.length === 0 ? t('incidents.chooseFirst') : null;
  const done = ({ failed }: Data<'bulkBindingIncidents'>) =>
    failed.length > 0 ? t('incidents.bulkFailed', { count: failed.length }) : t('action.done');
  const body = (rest: Omit<Body, 'incidentIds'>): [Body] => [{ incidentIds: [...ids], ...rest }];

  return (
    <div className={css['row']}>
      <ActionButton
        action={bulk}
        label={t('incidents.dismissMany', { count: ids.length })}
        reason={reason}
        fields={[{ name: 'note', kind: 'text', label: t('incidents.note'), isRequired: true }]}
        input={({ note }) => body({ action: 'DISMISS', note: toText(note) })}
        done={done}
        onDone={onDone}
      />
      <ActionButton
        action={bulk}
        label={t('incidents.snoozeMany', { count: ids.length })}
        reason={reason}
        fields={[
          { name: 'until', kind: 'moment', label: t('incidents.until'), isRequired: true },
          { name: 'note', kind: 'text', label: t('incidents.note') },
        ]}
        input={({ until, note }) =>
          body({
            action: 'SNOOZE',
            until: toText(until),
            ...(toText(note) === '' ? {} : { note: toText(note) }),
          })
        }
        done={done}
        onDone={onDone}
      />
    </div>
  );
}
