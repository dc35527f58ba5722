import type { Input } from '../../data/api.ts';
import { useAction } from '../../data/action.ts';
import { saveFile } from '../../data/save-file.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { currentLanguage, t } from '../../texts/texts.ts';

type Params = Omit<Input<'exportGiftDays'>[0], 'separator'>;

/** Saves gift days as a sheet, with the separator of the language. */
export function GiftSheet({ params }: { params: Params }) {
  const sheet = useAction('exportGiftDays');
  return (
    <ActionButton
      action={sheet}
      onDone={(text) => saveFile(`gifts-${params.from}-${params.to}.csv`, 'text/csv', text)}
      label={t('action.download')}
      done={t('action.downloading')}
      input={() => [
        { ...params, separator: currentLanguage() === 'ru' ? (';' as const) : (',' as const) },
      ]}
    />
  );
}
