import type { KeyboardEvent, ReactNode } from 'react';
import {
  Button as AriaButton,
  Collection,
  Tree,
  TreeItem,
  TreeItemContent,
  useDragAndDrop,
} from 'react-aria-components';
import { Button } from '../../parts/button.tsx';
import parts from '../../parts/parts.module.css';
import { nested, findTarget, type Nested, type Target } from '../../pure/tree.ts';
import { t } from '../../texts/texts.ts';
import type { Category } from '../../data/records.ts';
import css from './category-tree.module.css';

type TreeProps = {
  categories: readonly Category[];
  move: (id: number, target: Target) => void;
  actions: (category: Category) => ReactNode;
};

const STEPS = [
  ['up', '↑'],
  ['down', '↓'],
  ['out', '←'],
  ['in', '→'],
] as const;

/** Keeps Enter and Space from also opening or closing the row. */
const keepFromRow = (event: KeyboardEvent): void => {
  if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
};

/** Categories move with the mouse, the keyboard (Enter on the handle), and buttons. */
export function CategoryTree({ categories, move, actions }: TreeProps) {
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) =>
      [...keys].map((key) => ({
        'text/plain': categories.find(({ id }) => id === Number(key))?.name ?? '',
      })),
    onMove: ({ keys, target }) => {
      for (const key of keys)
        move(Number(key), { id: Number(target.key), place: target.dropPosition });
    },
  });

  const renderItem = (category: Nested<Category>) => (
    <TreeItem key={category.id} id={category.id} textValue={category.name} className={css['item']!}>
      <TreeItemContent>
        <div className={css['line']}>
          <AriaButton
            slot="drag"
            className={css['handle']!}
            aria-label={t('categories.move', { name: category.name })}
          >
            ⠿
          </AriaButton>
          {category.children.length > 0 && (
            <AriaButton slot="chevron" className={css['chevron']!}>
              ▸
            </AriaButton>
          )}
          <span className={parts['grow']}>
            {category.name}{' '}
            <span className={parts['muted']}>
              {t('categories.products', { count: category.productCount })}
            </span>
          </span>
          <span className={css['buttons']} onKeyDown={keepFromRow} onKeyUp={keepFromRow}>
            {STEPS.map(([step, sign]) => {
              const target = findTarget(categories, category.id, step);
              return (
                <Button
                  key={step}
                  small
                  look="quiet"
                  label={t(`categories.${step}`, { name: category.name })}
                  reason={target === null ? t('categories.edge') : null}
                  onPress={() => target !== null && move(category.id, target)}
                >
                  {sign}
                </Button>
              );
            })}
            {actions(category)}
          </span>
        </div>
      </TreeItemContent>
      <Collection items={category.children}>{renderItem}</Collection>
    </TreeItem>
  );

  return (
    <Tree
      aria-label={t('categories.tree')}
      items={nested(categories)}
      dependencies={[categories]}
      defaultExpandedKeys={categories.map(({ id }) => id)}
      dragAndDropHooks={dragAndDropHooks}
      className={css['tree']!}
    >
      {renderItem}
    </Tree>
  );
}
