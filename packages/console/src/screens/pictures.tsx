import { useRef, useState } from 'react';
import { useAction } from '../data/action.ts';
import { call, useAll, useRead } from '../data/read.ts';
import { useUrl } from '../data/url.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Form } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import css from '../parts/parts.module.css';
import type { ItemOf } from '../parts/resource.tsx';
import { EmptyState, ErrorState, Loaded } from '../parts/states.tsx';
import { announce } from '../parts/toast.tsx';
import { bytes } from '../pure/format.ts';
import { toParams } from '../pure/filters.ts';
import { code, currentLanguage, needs, t } from '../texts/texts.ts';
import { FocalPoint } from './parts/focal-point.tsx';
import media from './parts/media.module.css';

type Picture = ItemOf<'listMedia'>;

export function Screen() {
  const [search] = useUrl();
  const folders = useAll('listMediaFolders', {});
  const filters: readonly Filter[] = [
    { name: 'q', kind: 'text', label: t('pictures.find') },
    {
      name: 'folder',
      kind: 'choice',
      label: t('pictures.folder'),
      options: (folders.data?.items ?? []).map(({ folder, mediaCount }) => [
        folder,
        `${folder} (${mediaCount})`,
      ]),
    },
    { name: 'unused', kind: 'flag', label: t('pictures.unused') },
    { name: 'without_alt', kind: 'flag', label: t('pictures.withoutAlt') },
  ];

  const query = useRead('listMedia', [toParams(indexKinds(filters), search, 60)]);
  const [picture, setPicture] = useState<Picture | null>(null);

  return (
    <Page title={t('pictures.title')} lead={t('pictures.lead')} actions={<Upload />}>
      <Filters filters={filters} />
      <Loaded query={query}>
        {({ items, ...page }) =>
          items.length === 0 ? (
            <EmptyState text={t('pictures.none')} />
          ) : (
            <>
              <ul className={media['grid']}>
                {items.map((item) => (
                  <li key={item.id} className={media['card']}>
                    <button
                      type="button"
                      className={media['choice']}
                      aria-label={t('pictures.open', { name: item.originalName })}
                      onClick={() => setPicture(item)}
                    >
                      <img
                        src={item.renditions[0]?.url ?? item.url}
                        alt={item.alt ?? ''}
                        loading="lazy"
                      />
                    </button>
                    <span className={css['muted']}>
                      {item.originalName} · {t('pictures.uses', { count: item.usageCount })}
                    </span>
                  </li>
                ))}
              </ul>
              <Pager {...page} />
            </>
          )
        }
      </Loaded>
      <Dialog
        title={picture?.originalName ?? ''}
        isOpen={picture !== null}
        onClose={() => setPicture(null)}
      >
        {picture !== null && <Details picture={picture} close={() => setPicture(null)} />}
      </Dialog>
    </Page>
  );
}

function Upload() {
  const upload = useAction('uploadMedia');
  const field = useRef<HTMLInputElement>(null);
  const send = async (files: readonly File[]) => {
    for (const file of files) await upload.run({ file });
    announce(t('pictures.uploaded', { count: files.length }));
  };

  return (
    <>
      <input
        ref={field}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Otherwise the same file could not be chosen again after a failure.
          target.value = '';
          void send(files).catch(() => undefined);
        }}
      />
      <Button
        look="primary"
        isPending={upload.isPending}
        reason={needs(upload.lacks)}
        onPress={() => field.current?.click()}
      >
        {t('pictures.upload')}
      </Button>
      {upload.error !== null && <ErrorState error={upload.error} />}
    </>
  );
}

function Details({ picture, close }: { picture: Picture; close: () => void }) {
  const edit = useAction('updateMedia');
  const remove = useAction('deleteMedia');
  // A deleted picture is not read again.
  const options = { enabled: !remove.isPending && !remove.isDone };
  const usages = useRead('listMediaUsages', [{ id: picture.id }], options);
  const fresh = useRead('getMedia', [{ id: picture.id }], options);

  return (
    <Loaded query={fresh}>
      {(item) => (
        <div className={css['stack']}>
          {edit.lacks === null ? (
            <FocalPoint
              picture={item}
              change={(focalPoint) =>
                void edit.run({ id: item.id }, { version: item.version, focalPoint }).then(
                  () => announce(t('action.saved')),
                  () => undefined,
                )
              }
            />
          ) : (
            <img className={media['whole']} src={item.url} alt={item.alt ?? ''} />
          )}
          {edit.error !== null && <ErrorState error={edit.error} />}
          <p className={css['muted']}>
            {item.width} × {item.height} · {bytes(item.bytes, currentLanguage())}
          </p>
          <Form
            key={item.id}
            fields={[
              { name: 'alt', kind: 'long', label: t('pictures.alt'), hint: t('pictures.altHint') },
              { name: 'folder', kind: 'text', label: t('pictures.folder') },
            ]}
            record={item}
            reload={() => call('getMedia', [{ id: item.id }], {})}
            reason={needs(edit.lacks)}
            save={async (body) => {
              await edit.run({ id: item.id }, body as never);
              announce(t('action.saved'));
            }}
          />
          <h3>{t('pictures.usedBy')}</h3>
          <ul className={css['list']}>
            {(usages.data?.items ?? []).map(({ kind, entityId, name }) => (
              <li key={`${kind} ${entityId}`}>
                <span className={css['grow']}>{name}</span>
                <span className={css['muted']}>{code('usage', kind)}</span>
              </li>
            ))}
          </ul>
          <ActionButton
            look="danger"
            action={remove}
            label={t('pictures.delete')}
            reason={picture.usageCount > 0 ? t('pictures.isUsed') : null}
            confirm={t('pictures.deleteText')}
            input={() => [{ id: item.id }]}
            onDone={close}
          />
        </div>
      )}
    </Loaded>
  );
}
