import { isProblem } from '@carte/client/admin';
import { useState } from 'react';
import { useAction } from '../data/action.ts';
import type { Category } from '../data/records.ts';
import { call, useAll } from '../data/read.ts';
import { useUrl } from '../data/url.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form, type Field } from '../parts/form.tsx';
import { Block, Page, Tabs } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { ErrorState, Loaded } from '../parts/states.tsx';
import { announce } from '../parts/toast.tsx';
import { readOne } from '../pure/search.ts';
import { moved, placesChanged, type Target } from '../pure/tree.ts';
import { needs, t } from '../texts/texts.ts';
import { ArchivedCategories } from './parts/archived-categories.tsx';
import { CategoryProducts } from './parts/category-products.tsx';
import { CategoryTree } from './parts/category-tree.tsx';
import { toText } from '../pure/fields.ts';

/** Shows the categories as a tree, with drag and drop or the keyboard. */
export function Screen() {
  const [search] = useUrl();
  const tab = readOne(search, 'tab') ?? 'tree';
  const query = useAll('listCategories', {});
  const create = useAction('createCategory');

  return (
    <Page
      title={t('categories.title')}
      lead={t('categories.lead')}
      actions={
        <ActionButton
          look="primary"
          action={create}
          label={t('categories.create')}
          fields={[{ name: 'name', kind: 'text', label: t('product.name'), isRequired: true }]}
          input={({ name }) => [{ name: toText(name) }]}
        />
      }
    >
      <Tabs
        current={tab}
        tabs={[
          ['tree', t('categories.tree')],
          ['archived', t('categories.archived')],
        ]}
      />
      {tab === 'archived' ? (
        <ArchivedCategories />
      ) : (
        <Loaded query={query} rows={8}>
          {({ items, version }) => <Editor items={items} version={version} />}
        </Loaded>
      )}
    </Page>
  );
}

type Moves = readonly { id: number; target: Target }[];

/** Applies unsaved moves to the newest categories, so that changes of other people stay. */
function Editor({ items, version }: { items: readonly Category[]; version: number }) {
  const save = useAction('saveCategoryTree');
  const archive = useAction('archiveCategory');
  const edit = useAction('updateCategory');
  const [moves, setMoves] = useState<Moves>([]);
  const [edited, setEdited] = useState<Category | null>(null);
  const [ordered, setOrdered] = useState<Category | null>(null);
  const [base, setBase] = useState(version);
  const tree = moves.reduce<readonly Category[]>(
    (nodes, { id, target }) => moved(nodes, id, target),
    items,
  );

  const changed = placesChanged(items, tree);
  const isOvertaken =
    isProblem(save.error, 'version-conflict') || (moves.length > 0 && base !== version);
  const lacks = needs(save.lacks);

  const move = (id: number, target: Target) => {
    if (moves.length === 0) setBase(version);
    setMoves([...moves, { id, target }]);
  };

  const send = async () => {
    await save.run({ version, nodes: changed });
    setMoves([]);
    announce(t('action.saved'));
  };

  return (
    <Block
      title={t('categories.tree')}
      actions={
        <>
          <Button
            reason={moves.length === 0 ? t('categories.unchanged') : null}
            onPress={() => setMoves([])}
          >
            {t('categories.discard')}
          </Button>
          <Button
            look="primary"
            reason={lacks ?? (changed.length === 0 ? t('categories.unchanged') : null)}
            isPending={save.isPending}
            onPress={() => void send().catch(() => undefined)}
          >
            {t('categories.save', { count: changed.length })}
          </Button>
        </>
      }
    >
      <p className={css['muted']}>{t('categories.hint')}</p>
      {isOvertaken && (
        <p role="alert" className={css['notice']}>
          {t('categories.overtaken')}
        </p>
      )}
      {save.error !== null && !isOvertaken && <ErrorState error={save.error} />}
      <CategoryTree
        categories={tree}
        move={move}
        actions={(category) => (
          <>
            <Button small onPress={() => setEdited(category)} reason={needs(edit.lacks)}>
              {t('action.edit')}
            </Button>
            <Button
              small
              onPress={() => setOrdered(category)}
              reason={category.productCount === 0 ? t('categories.noProducts') : null}
            >
              {t('categories.orderProducts')}
            </Button>
            <ActionButton
              small
              look="danger"
              action={archive}
              label={t('product.archive')}
              reason={category.productCount > 0 ? t('categories.notEmpty') : null}
              confirm={t('categories.archiveText', { name: category.name })}
              input={() => [{ id: category.id }]}
            />
          </>
        )}
      />
      <Dialog title={edited?.name ?? ''} isOpen={edited !== null} onClose={() => setEdited(null)}>
        {edited !== null && (
          <Form
            fields={fields()}
            record={edited}
            reload={() => call('getCategory', [{ id: edited.id }], {})}
            save={async (body) => {
              await edit.run({ id: edited.id }, body as never);
              setEdited(null);
              announce(t('action.saved'));
            }}
            onCancel={() => setEdited(null)}
          />
        )}
      </Dialog>
      <Dialog
        title={ordered?.name ?? ''}
        isOpen={ordered !== null}
        onClose={() => setOrdered(null)}
      >
        {ordered !== null && <CategoryProducts id={ordered.id} close={() => setOrdered(null)} />}
      </Dialog>
    </Block>
  );
}

const fields = (): readonly Field[] => [
  { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
  { name: 'slug', kind: 'text', label: t('product.slug'), hint: t('product.slugHint') },
  { name: 'seoTitle', kind: 'text', label: t('product.seoTitle') },
  { name: 'seoDescription', kind: 'long', label: t('product.seoDescription') },
];
