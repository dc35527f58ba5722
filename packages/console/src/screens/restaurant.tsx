import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAction } from '../data/action.ts';
import { call, useRead } from '../data/read.ts';
import { useUrl } from '../data/url.ts';
import { Form, type Field } from '../parts/form.tsx';
import { Block, Page, Tabs } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Loaded } from '../parts/states.tsx';
import { announce } from '../parts/toast.tsx';
import { readOne } from '../pure/search.ts';
import { needs, t } from '../texts/texts.ts';
import { CopyOrdering } from './parts/copy-ordering.tsx';
import { Exceptions } from './parts/exceptions.tsx';
import { IntakePreview } from './parts/intake-preview.tsx';
import { Payments } from './parts/restaurant-payments.tsx';
import type { RestaurantProps } from './parts/restaurant-props.ts';
import { Readiness } from './parts/readiness.tsx';
import { Terminals } from './parts/terminals.tsx';
import { Week } from './parts/week.tsx';

const TABS: Readonly<Record<string, (props: RestaurantProps) => ReactNode>> = {
  switches: (props) => <Switches {...props} />,
  week: (props) => <Week {...props} />,
  exceptions: (props) => <Exceptions {...props} />,
  payments: (props) => <Payments {...props} />,
  preview: (props) => <IntakePreview {...props} />,
  copy: (props) => <CopyOrdering {...props} />,
  readiness: (props) => (
    <div className={css['stack']}>
      <Readiness {...props} />
      <Terminals {...props} />
    </div>
  ),
};

export function Screen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [search] = useUrl();
  const tab = readOne(search, 'tab') ?? 'switches';
  const query = useRead('getErpOrganization', [{ id: Number(id) }]);

  return (
    <Page
      manual={tab === 'copy' ? 'copy-set-up' : tab === 'exceptions' ? 'holidays' : 'new-restaurant'}
      title={query.data?.name ?? t('setup.title')}
      lead={<Link to="/setup">{t('setup.all')}</Link>}
    >
      <Tabs
        current={tab}
        tabs={[
          ['switches', t('setup.switches')],
          ['week', t('setup.week')],
          ['exceptions', t('setup.exceptions')],
          ['payments', t('setup.payments')],
          ['preview', t('setup.preview')],
          ['copy', t('setup.copy')],
          ['readiness', t('setup.readiness')],
        ]}
      />
      <Loaded query={query}>
        {({ effectiveTimeZone }) =>
          (TABS[tab] ?? TABS['switches']!)({ id: Number(id), zone: effectiveTimeZone })
        }
      </Loaded>
    </Page>
  );
}

const MINUTES = [
  'deliveryMinutes',
  'pickupCookingMinutes',
  'deliverySlotStepMinutes',
  'pickupSlotStepMinutes',
  'horizonDays',
  'deliveryOpenDelayMinutes',
  'deliveryCloseDelayMinutes',
  'restaurantOpenDelayMinutes',
  'restaurantCloseDelayMinutes',
] as const;

const fields = (): readonly Field[] => [
  { name: 'deliveryEnabled', kind: 'flag', label: t('setup.deliveryEnabled') },
  { name: 'pickupEnabled', kind: 'flag', label: t('setup.pickupEnabled') },
  { name: 'timedOrdersEnabled', kind: 'flag', label: t('setup.timedOrdersEnabled') },
  ...MINUTES.map((name): Field => ({ name, kind: 'number', label: t(`setup.${name}`), min: 0 })),
  { name: 'phone', kind: 'text', label: t('order.restaurantPhone') },
  { name: 'city', kind: 'text', label: t('setup.city') },
  { name: 'timeZone', kind: 'text', label: t('setup.timeZone'), hint: t('setup.timeZoneHint') },
];

function Switches({ id }: RestaurantProps) {
  const query = useRead('getOrdering', [{ id }]);
  const edit = useAction('editOrdering');

  return (
    <Block title={t('setup.switches')} needs="getOrdering">
      <Loaded query={query}>
        {(config) => (
          <Form
            key={id}
            fields={fields()}
            record={config}
            reload={() => call('getOrdering', [{ id }], {})}
            reason={needs(edit.lacks)}
            save={async (body) => {
              await edit.run({ id }, body as never);
              announce(t('action.saved'));
            }}
          />
        )}
      </Loaded>
    </Block>
  );
}
