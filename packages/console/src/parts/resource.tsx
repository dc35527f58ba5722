import { useState } from 'react';
import { useAction } from '../data/action.ts';
import type { Data, Input, OperationId } from '../data/api.ts';
import { call, useRead } from '../data/read.ts';
import { useUrl } from '../data/url.ts';
import { toParams } from '../pure/filters.ts';
import type { Values } from '../pure/fields.ts';
import { needs, t } from '../texts/texts.ts';
import { ActionButton } from './action-button.tsx';
import { Button } from './button.tsx';
import { DataTable, type Column, type PageOf } from './data-table.tsx';
import { Dialog } from './dialog.tsx';
import { Filters, indexKinds, type Filter } from './filters.tsx';
import { Form, type Field } from './form.tsx';
import { Block, Page } from './page.tsx';
import parts from './parts.module.css';
import type { UseQueryResult } from '@tanstack/react-query';
import { announce } from './toast.tsx';

export type ItemOf<Id extends OperationId> =
  Data<Id> extends { items: (infer Item)[] } ? Item : never;

type Versioned = { version?: number };

/** A row without a version cannot be edited. */
type RowOf<Id extends OperationId> = ItemOf<Id> & Versioned;

type ResourceProps<Id extends OperationId, Row extends Versioned> = {
  title: string;
  lead?: string;
  list: Id;
  params?: Values;
  filters?: readonly Filter[];
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  empty: string;
  fields?: (row: Row | undefined) => readonly Field[];
  defaults?: Values;
  create?: { operation: OperationId; label: string; after?: (answer: unknown) => void };
  edit?: {
    operation: OperationId;
    read?: OperationId;
    key: (row: Row) => object;
  };
  remove?: {
    operation: OperationId;
    key: (row: Row) => object;
    label: string;
    text: (row: Row) => string;
  };
  /** The reason why a row can be neither edited nor removed now. */
  reason?: (row: Row) => string | null;
  actions?: React.ReactNode;
  more?: (row: Row) => React.ReactNode;
  isBlock?: boolean;
};

export function Resource<Id extends OperationId>(props: ResourceProps<Id, RowOf<Id>>) {
  type Row = RowOf<Id>;
  const {
    list,
    params = {},
    filters = [],
    columns,
    rowId,
    empty,
    create,
    edit,
    remove,
    reason = () => null,
    more,
  } = props;

  const [search] = useUrl();
  const [row, setRow] = useState<Row | 'new' | null>(null);
  const input = [{ ...toParams(indexKinds(filters), search), ...params }] as unknown as Input<Id>;
  const query = useRead(list, input) as unknown as UseQueryResult<PageOf<Row>>;
  const removal = useAction(remove?.operation ?? 'logout');
  const adding = useAction(create?.operation ?? 'logout');
  const editing = useAction(edit?.operation ?? 'logout');
  const lacks = (action: { lacks: string | null }) => needs(action.lacks);
  const hasButtons = edit !== undefined || remove !== undefined || more !== undefined;
  const buttons: Column<Row> = {
    id: 'buttons',
    header: t('table.actions'),
    cell: (of) => (
      <div className={parts['row']}>
        {edit !== undefined && (
          <Button small onPress={() => setRow(of)} reason={lacks(editing) ?? reason(of)}>
            {t('action.edit')}
          </Button>
        )}
        {more?.(of)}
        {remove !== undefined && (
          <ActionButton
            small
            look="danger"
            action={removal}
            label={remove.label}
            confirm={remove.text(of)}
            reason={reason(of)}
            input={() => [remove.key(of)] as never}
          />
        )}
      </div>
    ),
  };

  const actions = (
    <>
      {props.actions}
      {create !== undefined && (
        <Button look="primary" onPress={() => setRow('new')} reason={lacks(adding)}>
          {create.label}
        </Button>
      )}
    </>
  );

  async function save(body: Values): Promise<void> {
    if (row === 'new') {
      const answer = await adding.run(...([body] as never));
      create?.after?.(answer);
    } else await editing.run(...([edit!.key(row!), body] as never));
    setRow(null);
    announce(t('action.saved'));
  }

  const read = edit?.read;
  const reload =
    row === null || row === 'new' || read === undefined
      ? undefined
      : () => call(read, [edit!.key(row)], {}) as Promise<unknown> as Promise<Row>;

  const content = (
    <>
      {filters.length > 0 && <Filters filters={filters} />}
      <Block needs={list} {...(props.isBlock === true ? { title: props.title, actions } : {})}>
        <DataTable
          label={props.title}
          query={query}
          columns={hasButtons ? [...columns, buttons] : columns}
          rowId={rowId}
          empty={{ text: empty }}
        />
      </Block>
      <Dialog
        title={row === 'new' ? (create?.label ?? '') : t('action.edit')}
        isOpen={row !== null}
        onClose={() => setRow(null)}
      >
        {row !== null && (
          <Form
            fields={props.fields?.(row === 'new' ? undefined : row) ?? []}
            record={row === 'new' ? undefined : row}
            defaults={props.defaults ?? {}}
            save={save}
            reload={reload}
            onCancel={() => setRow(null)}
          />
        )}
      </Dialog>
    </>
  );

  if (props.isBlock === true) return content;

  return (
    <Page title={props.title} lead={props.lead} actions={actions}>
      {content}
    </Page>
  );
}
