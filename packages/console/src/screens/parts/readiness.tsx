import { Link } from '@tanstack/react-router';
import { useAction } from '../../data/action.ts';
import { useRead } from '../../data/read.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { Status } from '../../parts/values.tsx';
import { nextNoon } from '../../pure/moments.ts';
import { code, t } from '../../texts/texts.ts';
import { CopyFrom } from './copy-ordering.tsx';
import { IntakePreview } from './intake-preview.tsx';
import type { RestaurantProps } from './restaurant-props.ts';

const PLACES: Readonly<Record<string, (id: number) => string>> = {
  CONNECTION: () => '/connections',
  TERMINALS: () => '/sync',
  MENU: (id) => `/menus?restaurant=${id}`,
  HOURS: (id) => `/setup/${id}?tab=week`,
  PAYMENT_METHODS: (id) => `/setup/${id}?tab=payments`,
  ZONES: (id) => `/zones?restaurant=${id}`,
  SWITCHES: (id) => `/setup/${id}?tab=switches`,
};

/** The checklist of a new restaurant. */
export function Readiness({ id, zone }: RestaurantProps) {
  const query = useRead('getReadiness', [{ id }]);
  return (
    <div className={css['stack']}>
      <Checklist id={id} />
      {query.data?.isReady === false && <CopyFrom id={id} zone={zone} />}
      <IntakePreview id={id} zone={zone} first={nextNoon(zone)} />
    </div>
  );
}

function Checklist({ id }: { id: number }) {
  const query = useRead('getReadiness', [{ id }]);
  return (
    <Block title={t('setup.readiness')} needs="getReadiness">
      <Loaded query={query}>
        {({ isReady, checklist }) => (
          <>
            <div>
              <Status tone={isReady ? 'good' : 'warn'}>
                {t(isReady ? 'setup.ready' : 'setup.notReady')}
              </Status>
            </div>
            <ol className={css['list']}>
              {checklist.map(({ code: point, isDone }) => {
                const [path = '/', parameters = ''] = (PLACES[point]?.(id) ?? '').split('?');
                return (
                  <li key={point}>
                    <Status tone={isDone ? 'good' : 'bad'}>
                      {t(isDone ? 'setup.done' : 'setup.missing')}
                    </Status>
                    <span className={css['grow']}>{code('readiness', point)}</span>
                    {!isDone && point === 'SWITCHES' && <SwitchOn id={id} />}
                    {!isDone && PLACES[point] !== undefined && (
                      <Link
                        to={path}
                        search={Object.fromEntries(new URLSearchParams(parameters)) as never}
                      >
                        {t('setup.open')}
                      </Link>
                    )}
                  </li>
                );
              })}
            </ol>
          </>
        )}
      </Loaded>
    </Block>
  );
}

/** Enables delivery and pickup. Staff disable them on the tab `switches`. */
function SwitchOn({ id }: { id: number }) {
  const query = useRead('getOrdering', [{ id }]);
  const edit = useAction('editOrdering');
  if (query.data === undefined) return null;
  const { version } = query.data;

  return (
    <ActionButton
      small
      look="primary"
      action={edit}
      label={t('setup.switchOn')}
      input={() => [{ id }, { version, deliveryEnabled: true, pickupEnabled: true }]}
    />
  );
}
