import { isProblem } from '@carte/client/admin';
import { use, useEffect, useState } from 'react';
import type { Action } from '../data/action.ts';
import type { OperationId } from '../data/api.ts';
import { mergedOrder } from '../pure/toggles.ts';
import { needs, t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { DialogForms } from './dialog.tsx';
import form from './form.module.css';
import css from './parts.module.css';
import { ErrorState } from './states.tsx';
import { announce } from './toast.tsx';

type Entry = { id: string; name: string };

type OrderedProps<Id extends OperationId> = {
  /** Entries in the stored order. */
  entries: readonly Entry[];
  action: Action<Id>;
  save: (ids: readonly string[]) => Promise<unknown>;
  onDone: () => void;
};

/**
 * A list ordered with buttons or the keyboard. The order stays until it is saved, also when
 * another person changes the list.
 */
export function OrderedList<Id extends OperationId>({
  entries,
  action,
  save,
  onDone,
}: OrderedProps<Id>) {
  const [typed, setTyped] = useState<readonly string[] | null>(null);
  const forms = use(DialogForms);
  useEffect(() => {
    const isTyped = () => typed !== null;
    forms?.add(isTyped);
    return () => void forms?.delete(isTyped);
  }, [forms, typed]);

  const ids = entries.map(({ id }) => id);
  const order = typed === null ? ids : mergedOrder(typed, ids);
  const isOvertaken = isProblem(action.error, 'version-conflict');
  const move = (from: number, to: number) =>
    setTyped(order.toSpliced(from, 1).toSpliced(to, 0, order[from]!));
  const send = async () => {
    await save(order);
    announce(t('action.saved'));
    onDone();
  };

  const reason = needs(action.lacks);

  return (
    <div className={css['stack']}>
      {isOvertaken && (
        <p role="alert" className={css['notice']}>
          {t('order.overtaken')}
        </p>
      )}
      {action.error !== null && !isOvertaken && <ErrorState error={action.error} />}
      <ol className={css['list']}>
        {order.map((id, at) => {
          const name = entries.find((entry) => entry.id === id)?.name ?? id;
          return (
            <li key={id}>
              <span className={css['grow']}>{name}</span>
              {(
                [
                  ['first', '⤒', 0],
                  ['up', '↑', at - 1],
                  ['down', '↓', at + 1],
                ] as const
              ).map(([step, sign, to]) => (
                <Button
                  key={step}
                  small
                  look="quiet"
                  label={t(`ordered.${step}`, { name })}
                  reason={to < 0 || to >= order.length || to === at ? t('categories.edge') : null}
                  onPress={() => move(at, to)}
                >
                  {sign}
                </Button>
              ))}
            </li>
          );
        })}
      </ol>
      <div className={form['foot']}>
        <Button onPress={onDone}>{t('action.cancel')}</Button>
        <Button
          look="primary"
          isPending={action.isPending}
          reason={reason ?? (typed === null ? t('categories.unchanged') : null)}
          onPress={() => void send().catch(() => undefined)}
        >
          {t('action.save')}
        </Button>
      </div>
    </div>
  );
}
