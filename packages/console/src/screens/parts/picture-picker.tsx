import { useState } from 'react';
import { useRead } from '../../data/read.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import form from '../../parts/form.module.css';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { t } from '../../texts/texts.ts';
import media from './media.module.css';

type PickerProps = {
  value: number | null;
  change: (id: number | null) => void;
  /** Shows the newest unused pictures. */
  isNew?: boolean;
};

export function PicturePicker({ value, change, isNew = false }: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={css['row']}>
      {isNew && <Newest value={value} change={change} />}
      <Button onPress={() => setOpen(true)}>
        {value === null ? t('pictures.choose') : t('pictures.chosen', { id: value })}
      </Button>
      {value !== null && (
        <Button look="quiet" small onPress={() => change(null)}>
          {t('pictures.without')}
        </Button>
      )}
      <Dialog title={t('pictures.choose')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Library
          choose={(id) => {
            change(id);
            setOpen(false);
          }}
        />
      </Dialog>
    </div>
  );
}

function Newest({ value, change }: PickerProps) {
  const query = useRead('listMedia', [{ size: 6, unused: true, sort: ['createdAt,desc'] }]);
  const items = query.data?.items ?? [];
  if (items.length === 0) return null;

  return (
    <ul className={media['strip']} aria-label={t('pictures.unused')}>
      {items.map(({ id, url, alt, originalName }) => (
        <li key={id}>
          <button
            type="button"
            className={media['choice']}
            aria-pressed={id === value}
            onClick={() => change(id === value ? null : id)}
          >
            <img src={url} alt={alt ?? originalName} loading="lazy" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Library({ choose }: { choose: (id: number) => void }) {
  const [q, setQ] = useState('');
  const query = useRead('listMedia', [
    { size: 60, sort: ['createdAt,desc'], ...(q === '' ? {} : { q }) },
  ]);

  return (
    <>
      <input
        className={form['input']}
        aria-label={t('pictures.find')}
        placeholder={t('pictures.find')}
        value={q}
        onChange={({ target }) => setQ(target.value)}
      />
      <Loaded query={query}>
        {({ items }) => (
          <ul className={media['grid']}>
            {items.map(({ id, url, alt, originalName }) => (
              <li key={id}>
                <button type="button" className={media['choice']} onClick={() => choose(id)}>
                  <img src={url} alt={alt ?? originalName} loading="lazy" />
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}
