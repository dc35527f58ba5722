import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../data/action.ts';
import { useAll } from '../../data/read.ts';
import { useUrl } from '../../data/url.ts';
import type { Option } from '../../parts/filters.tsx';
import { Form, type Field } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import { announce } from '../../parts/toast.tsx';
import { Loaded } from '../../parts/states.tsx';
import type { Values } from '../../pure/fields.ts';
import { readOne } from '../../pure/search.ts';
import { code, needs, t } from '../../texts/texts.ts';

type GrantGiftProps = {
  phone: string;
  /** The ERP client, set if the phone is hidden. Belongs to one ERP account. */
  client?: string;
  connections?: readonly Option[];
};

/** Promises a gift to a guest. The order in the URL is its source. */
export function GrantGift({ phone, client, connections = [] }: GrantGiftProps) {
  const [search] = useUrl();
  const rewards = useAll('listRewards', { is_active: true });
  const grant = useAction('issueCompensation');
  const navigate = useNavigate();
  const order = readOne(search, 'order');
  const fields = (items: readonly { id: number; name: string }[]): readonly Field[] => [
    {
      name: 'rewardId',
      kind: 'choice',
      isNumeric: true,
      label: t('gifts.reward'),
      isRequired: true,
      options: items.map(({ id, name }) => [String(id), name]),
    },
    {
      name: 'reason',
      kind: 'choice',
      label: t('form.reason'),
      isRequired: true,
      options: ['LATE_DELIVERY', 'SERVICE_ERROR', 'OTHER'].map((value) => [
        value,
        code('giftReason', value),
      ]),
    },
    { name: 'reasonComment', kind: 'text', label: t('gifts.comment') },
    ...(client === undefined && connections.length > 1
      ? [
          {
            name: 'connectionId',
            kind: 'choice',
            isNumeric: true,
            label: t('sync.connection'),
            isRequired: true,
            options: connections,
          } as const,
        ]
      : []),
    {
      name: 'expiresAt',
      kind: 'moment',
      label: t('gifts.expiresAt'),
      hint: t('gifts.expiresHint'),
    },
  ];

  async function save(body: Values): Promise<void> {
    const only = connections.length === 1 ? { connectionId: Number(connections[0]![0]) } : {};
    const { id } = await grant.run({
      ...(client === undefined ? { clientPhone: phone, ...only } : { clientId: client }),
      ...(order === undefined ? {} : { sourceOrderId: order }),
      ...body,
    } as never);

    announce(t('gifts.granted'));
    await navigate({ to: `/gifts/${id}` });
  }

  return (
    <Block title={t('gifts.grantTo', { phone })} needs="listRewards">
      <Loaded query={rewards}>
        {({ items }) => (
          <Form
            fields={fields(items)}
            defaults={{
              reason: order === undefined ? 'OTHER' : 'SERVICE_ERROR',
              rewardId: items[0]?.id,
            }}
            label={t('gifts.grant')}
            reason={needs(grant.lacks)}
            save={save}
          />
        )}
      </Loaded>
    </Block>
  );
}
