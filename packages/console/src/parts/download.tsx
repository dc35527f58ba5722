import { useAction } from '../data/action.ts';
import type { Input } from '../data/api.ts';
import { toQuery } from '../pure/filters.ts';
import { t } from '../texts/texts.ts';
import { ActionButton } from './action-button.tsx';

type Kind = Input<'createExportLink'>[0]['kind'];

/** Downloads a filtered list as a sheet. Its link works once. */
export function Download({
  kind,
  params,
}: {
  kind: Kind;
  params: Readonly<Record<string, unknown>>;
}) {
  const link = useAction('createExportLink', kind);
  return (
    <ActionButton
      action={link}
      label={t('action.download')}
      done={t('action.downloading')}
      input={() => [{ kind, query: toQuery(params) }]}
      onDone={({ path }) => location.assign(path)}
    />
  );
}
