import { isProblem } from '@carte/client/admin';
import { useRef, useState } from 'react';
import { useAction } from '../../data/action.ts';
import type { Data } from '../../data/api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import form from '../../parts/form.module.css';
import css from '../../parts/parts.module.css';
import { ErrorState } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { needs, t } from '../../texts/texts.ts';
import { SheetChanges } from './sheet-changes.tsx';

type Plan = { file: File; answer: Data<'importProductTexts'> };

/** Changes product texts by a sheet: a plan with errors by row, then all changes or none. */
export function TextsSheet() {
  const send = useAction('importProductTexts');
  const [isOpen, setOpen] = useState(false);
  const [plan, setPlan] = useState<Plan | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const close = () => {
    setOpen(false);
    setPlan(null);
    send.reset();
  };

  const preview = async (file: File) => {
    setPlan(null);
    setPlan({ file, answer: await send.run({ file, mode: 'PLAN' }) });
  };

  const apply = async ({ file, answer }: Plan) => {
    const { changes } = await send.run({ file, mode: 'APPLY', plan: answer.plan! });
    announce(t('bulk.done', { count: changes.length }));
    close();
  };

  const lacks = needs(send.lacks);
  const findReason = ({ answer }: Plan) =>
    answer.plan === null
      ? t('sheet.hasErrors')
      : answer.changes.length === 0
        ? t('bulk.nothing')
        : null;

  return (
    <>
      <Button reason={lacks} onPress={() => setOpen(true)}>
        {t('sheet.title')}
      </Button>
      <Dialog title={t('sheet.title')} isOpen={isOpen} onClose={close}>
        <p>{t('sheet.text')}</p>
        <input
          ref={field}
          type="file"
          accept=".csv,text/csv"
          hidden
          aria-label={t('sheet.choose')}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            // Lets the same file be selected again after a change.
            target.value = '';
            if (file !== undefined) void preview(file).catch(() => undefined);
          }}
        />
        <div className={css['row']}>
          <Button isPending={send.isPending} onPress={() => field.current?.click()}>
            {t('sheet.choose')}
          </Button>
          {plan !== null && <span translate="no">{plan.file.name}</span>}
        </div>
        {isProblem(send.error, 'version-conflict') && (
          <p role="alert" className={css['notice']}>
            {t('sheet.overtaken')}
          </p>
        )}
        {send.error !== null && !isProblem(send.error, 'version-conflict') && (
          <ErrorState error={send.error} />
        )}
        {plan !== null && <SheetChanges answer={plan.answer} />}
        <div className={form['foot']}>
          <Button onPress={close}>{t('action.cancel')}</Button>
          {isProblem(send.error, 'version-conflict') && plan !== null ? (
            <Button look="primary" onPress={() => void preview(plan.file).catch(() => undefined)}>
              {t('copy.plan')}
            </Button>
          ) : (
            <Button
              look="primary"
              isPending={send.isPending}
              reason={plan === null ? t('sheet.chooseFirst') : findReason(plan)}
              onPress={() => plan !== null && void apply(plan).catch(() => undefined)}
            >
              {t('bulk.apply')}
            </Button>
          )}
        </div>
      </Dialog>
    </>
  );
}
