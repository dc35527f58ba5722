import { useAction } from '../../data/action.ts';
import { saveFile } from '../../data/save-file.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import type { Field } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { toText } from '../../pure/fields.ts';
import { t } from '../../texts/texts.ts';

const reasonField = (): Field => ({
  name: 'reason',
  kind: 'text',
  label: t('form.reason'),
  hint: t('person.reasonHint'),
  isRequired: true,
});

/** A copy of all personal data, and its erasure. */
export function PersonRights({ phone }: { phone: string }) {
  const copy = useAction('exportPerson');
  const forget = useAction('forgetClient');

  return (
    <Block title={t('person.title')}>
      <p className={css['muted']}>{t('person.text')}</p>
      <div className={css['row']}>
        <ActionButton
          action={copy}
          onDone={(answer) =>
            saveFile('person.json', 'application/json', JSON.stringify(answer, null, 2))
          }
          label={t('person.export')}
          confirm={t('person.exportText')}
          done={t('action.downloading')}
          fields={[
            reasonField(),
            {
              name: 'customerId',
              kind: 'text',
              label: t('person.customer'),
              hint: t('person.customerHint'),
            },
          ]}
          input={({ reason, customerId }) => [
            {
              phone,
              reason: toText(reason),
              ...(customerId === undefined ? {} : { customerId: toText(customerId) }),
            },
          ]}
        />
        <ActionButton
          look="danger"
          action={forget}
          label={t('person.forget')}
          confirm={t('person.forgetText')}
          done={({ clientIds }) => t('person.forgotten', { count: clientIds.length })}
          fields={[reasonField()]}
          input={({ reason }) => [{ phone, reason: toText(reason) }]}
        />
      </div>
    </Block>
  );
}
