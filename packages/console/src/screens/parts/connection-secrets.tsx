import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import { useAll } from '../../data/read.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Table } from '../../parts/data-table.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { Person, When } from '../../parts/values.tsx';
import { t } from '../../texts/texts.ts';

/** Secrets with which the ERP signs its messages. A new one is shown once. */
export function ConnectionSecrets({ id }: { id: number }) {
  const query = useAll('listWebhookSecrets', { id });
  const create = useAction('createWebhookSecret');
  const remove = useAction('deleteWebhookSecret');
  const [secret, setSecret] = useState<string | null>(null);

  return (
    <Block
      needs="listWebhookSecrets"
      actions={
        <ActionButton
          look="primary"
          action={create}
          onDone={(answer) => setSecret(answer.secret)}
          label={t('secrets.create')}
          input={() => [{ id }]}
        />
      }
    >
      <p className={css['muted']}>{t('secrets.text')}</p>
      {secret !== null && (
        <div role="status">
          <p>{t('keys.tokenText')}</p>
          <pre className={css['pre']} tabIndex={0}>
            {secret}
          </pre>
        </div>
      )}
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label={t('secrets.title')}
            rows={items}
            rowId={({ id: of }) => String(of)}
            empty={{ text: t('secrets.none') }}
            columns={[
              {
                id: 'at',
                header: t('orders.created'),
                cell: ({ createdAt }) => <When at={createdAt} />,
              },
              {
                id: 'by',
                header: t('audit.who'),
                cell: ({ createdBy }) => <Person author={createdBy} />,
              },
              {
                id: 'actions',
                header: t('table.actions'),
                cell: ({ id: of }) => (
                  <ActionButton
                    small
                    look="danger"
                    action={remove}
                    label={t('secrets.end')}
                    confirm={t('secrets.endText')}
                    input={() => [{ id, secret_id: of }]}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Block>
  );
}
