import type { ReactNode } from 'react';
import { useRead } from '../data/read.ts';
import { temporalUrl } from '../pure/temporal.ts';
import { t } from '../texts/texts.ts';

/**
 * Returns a link to the executions in Temporal's UI, or null if the setting `temporal_ui_url` is
 * missing.
 */
export function useTemporalLink(ids: readonly string[]): ReactNode {
  const { data } = useRead('getConsoleConfig', []);
  if (data === undefined || data.temporal === null) return null;

  return (
    <a key="temporal" href={temporalUrl(data.temporal, ids)} target="_blank" rel="noreferrer">
      {t('temporal.open')}
    </a>
  );
}
