import type { Data } from '../../data/api.ts';
import { useRead } from '../../data/read.ts';
import css from '../../parts/parts.module.css';
import { EmptyState, Loaded } from '../../parts/states.tsx';
import { Status } from '../../parts/values.tsx';
import { t } from '../../texts/texts.ts';

type Section = Data<'diffRevisions'>['products'];

/** Differences between the present menu and a revision, by dish. */
export function MenuDiff({ restaurant, revision }: { restaurant: number; revision: number }) {
  const query = useRead('diffRevisions', [{ organization_id: restaurant, from: revision }]);
  return (
    <Loaded query={query}>
      {({ products, categories, modifierGroups }) => {
        const sections = [
          [t('menus.products'), products],
          [t('categories.title'), categories],
          [t('modifiers.groups'), modifierGroups],
        ] as const;

        const shown = sections.filter(
          ([, { added, removed, changed }]) => added.length + removed.length + changed.length > 0,
        );
        if (shown.length === 0) return <EmptyState text={t('menus.same')} />;

        return (
          <div className={css['stack']}>
            {shown.map(([title, section]) => (
              <Entries key={title} title={title} section={section} />
            ))}
          </div>
        );
      }}
    </Loaded>
  );
}

const toText = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? null)).slice(0, 80);

function Entries({
  title,
  section: { added, removed, changed },
}: {
  title: string;
  section: Section;
}) {
  return (
    <section>
      <h3>{title}</h3>
      <ul className={css['list']}>
        {added.map(({ id, name }) => (
          <li key={`+${id}`}>
            <Status tone="good">{t('menus.added')}</Status> {name}
          </li>
        ))}
        {removed.map(({ id, name }) => (
          <li key={`-${id}`}>
            <Status tone="bad">{t('menus.removed')}</Status> {name}
          </li>
        ))}
        {changed.map(({ id, name, fields }) => (
          <li key={`~${id}`}>
            <Status tone="info">{t('menus.changed')}</Status>
            <span className={css['grow']}>
              {name}
              {fields.map(({ field, before, after }) => (
                <span key={field} className={css['muted']}>
                  {' '}
                  <code>{field}</code>: {toText(before)} → {toText(after)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
