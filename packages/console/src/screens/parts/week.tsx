import { isProblem } from '@carte/client/admin';
import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import { useRead } from '../../data/read.ts';
import { Button } from '../../parts/button.tsx';
import form from '../../parts/form.module.css';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { ErrorState, Loaded } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { copiedToAllDays, mergedWeek, type HoursWindow } from '../../pure/week.ts';
import { code, needs, t } from '../../texts/texts.ts';
import type { RestaurantProps } from './restaurant-props.ts';
import { WeekGrid } from './week-grid.tsx';
import { WeekTable } from './week-table.tsx';

/** The week of a restaurant as a grid, or as a table. */
export function Week({ id, zone }: RestaurantProps) {
  const query = useRead('getSchedule', [{ id }]);
  return (
    <Block title={t('setup.weekIn', { zone })} needs="getSchedule">
      <Loaded query={query}>
        {({ windows, version }) => (
          <Editor id={id} saved={windows as HoursWindow[]} version={version} />
        )}
      </Loaded>
    </Block>
  );
}

/** The edited hours, and the saved week from which the edit began. */
type Typed = { windows: readonly HoursWindow[]; before: readonly HoursWindow[]; version: number };

/**
 * Typed hours stay until they are saved. If another person saves first, that person's other days
 * are kept.
 */
function Editor({
  id,
  saved,
  version,
}: {
  id: number;
  saved: readonly HoursWindow[];
  version: number;
}) {
  const replace = useAction('replaceSchedule');
  const [typed, setTyped] = useState<Typed | null>(null);
  const [channel, setChannel] = useState<HoursWindow['channel']>('DELIVERY');
  const [isTable, setTable] = useState(false);
  const isNewer = typed !== null && typed.version !== version;
  const windows = isNewer
    ? mergedWeek(typed.before, typed.windows, saved)
    : (typed?.windows ?? saved);
  const isOvertaken = isNewer || isProblem(replace.error, 'version-conflict');
  const change = (next: readonly HoursWindow[]) =>
    setTyped({ before: saved, version, ...typed, windows: next });
  const send = async (seen: number) => {
    await replace.run({ id }, { version: seen, windows: [...windows] });
    setTyped(null);
    announce(t('action.saved'));
  };

  const lacks = needs(replace.lacks);
  const View = isTable ? WeekTable : WeekGrid;

  return (
    <div className={css['stack']}>
      <div className={css['row']}>
        <label className={css['row']}>
          <span className={form['label']}>{t('orders.fulfillment')}</span>
          <select
            className={form['input']}
            value={channel}
            onChange={({ target }) => setChannel(target.value as typeof channel)}
          >
            {['DELIVERY', 'PICKUP', 'DINE_IN'].map((value) => (
              <option key={value} value={value}>
                {code('fulfillment', value)}
              </option>
            ))}
          </select>
        </label>
        <Button onPress={() => setTable(!isTable)}>
          {t(isTable ? 'week.asGrid' : 'week.asTable')}
        </Button>
        <Button onPress={() => change(copiedToAllDays(windows, 1, channel))}>
          {t('week.copyMonday')}
        </Button>
      </div>
      <View windows={windows} channel={channel} change={change} />
      {replace.error !== null && !isOvertaken && <ErrorState error={replace.error} />}
      {isOvertaken && (
        <div role="alert" className={css['error']}>
          <strong>{t('conflict.title')}</strong>
          <p>{t('conflict.text')}</p>
          <div className={css['columns']}>
            <section>
              <h3>{t('conflict.theirs')}</h3>
              <WeekTable windows={saved} channel={channel} change={() => undefined} />
            </section>
          </div>
          <div className={css['row']}>
            <Button look="primary" onPress={() => void send(version).catch(() => undefined)}>
              {t('conflict.keepMine')}
            </Button>
            <Button
              onPress={() => {
                setTyped(null);
                replace.reset();
              }}
            >
              {t('conflict.takeTheirs')}
            </Button>
          </div>
        </div>
      )}
      <div className={form['foot']}>
        <Button
          reason={typed === null ? t('categories.unchanged') : null}
          onPress={() => setTyped(null)}
        >
          {t('categories.discard')}
        </Button>
        <Button
          look="primary"
          reason={lacks ?? (typed === null ? t('categories.unchanged') : null)}
          isPending={replace.isPending}
          onPress={() => void send(typed?.version ?? version).catch(() => undefined)}
        >
          {t('action.save')}
        </Button>
      </div>
    </div>
  );
}
