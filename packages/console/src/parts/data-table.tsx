import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useUrl } from '../data/url.ts';
import { oneOf } from '../pure/search.ts';
import { t } from '../texts/texts.ts';
import { Pager } from './pager.tsx';
import { EmptyState, Loaded, type Empty } from './states.tsx';
import css from './table.module.css';

/** A column of a table. */
export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The field that the server sorts by. */
  sort?: string;
  isNumber?: boolean;
};

export type Selection = { ids: ReadonlySet<string>; change: (ids: ReadonlySet<string>) => void };

type TableProps<Row> = {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  empty: Empty;
  selection?: Selection | undefined;
};

const toggled = (ids: ReadonlySet<string>, changed: readonly string[], isOn: boolean): ReadonlySet<string> =>
  isOn ? new Set([...ids, ...changed]) : new Set([...ids].filter((id) => !changed.includes(id)));

/** Rows with columns. At a narrow width each row is a card. */
export function Table<Row>({ label, rows, columns, rowId, empty, selection }: TableProps<Row>) {
  if (rows.length === 0) return <EmptyState {...empty} />;
  const all = rows.map(rowId);
  return (
    <div className={css['wrap']} tabIndex={0} role="region" aria-label={label}>
      <table className={css['table']}>
        <thead>
          <tr>
            {selection !== undefined && (
              <th className={css['check']}>
                <input
                  type="checkbox"
                  aria-label={t('table.selectAll')}
                  checked={all.every((id) => selection.ids.has(id))}
                  onChange={({ target }) => selection.change(toggled(selection.ids, all, target.checked))}
                />
              </th>
            )}
            {columns.map((column) => (
              <Header key={column.id} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)}>
              {selection !== undefined && (
                <td className={css['check']} data-label={t('table.select')}>
                  <input
                    type="checkbox"
                    aria-label={t('table.select')}
                    checked={selection.ids.has(rowId(row))}
                    onChange={({ target }) => selection.change(toggled(selection.ids, [rowId(row)], target.checked))}
                  />
                </td>
              )}
              {columns.map(({ id, header, cell, isNumber }) => (
                <td key={id} data-label={header} className={isNumber === true ? css['end'] : undefined}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The header of a column; a press sorts by it. */
function Header<Row>({ column: { header, sort, isNumber } }: { column: Column<Row> }) {
  const [search] = useUrl();
  const className = isNumber === true ? css['end'] : undefined;
  if (sort === undefined) return <th className={className}>{header}</th>;
  const [field, direction] = (oneOf(search, 'sort') ?? '').split(',');
  const isSorted = field === sort;
  const next = isSorted && direction === 'asc' ? 'desc' : 'asc';
  return (
    <th className={className} aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}>
      <Link
        to="."
        className={css['sort']!}
        search={((before: object) => ({ ...before, sort: `${sort},${next}`, page: undefined })) as never}
      >
        {header}
        <span aria-hidden="true">{isSorted ? (direction === 'asc' ? '↑' : '↓') : '↕'}</span>
      </Link>
    </th>
  );
}

export type PageOf<Row> = { items: readonly Row[]; page: number; size: number; total: number };

type DataTableProps<Row> = Omit<TableProps<Row>, 'rows'> & { query: UseQueryResult<PageOf<Row>> };

/** A page of a list of the server with the links to its other pages. */
export function DataTable<Row>({ query, ...table }: DataTableProps<Row>) {
  return (
    <Loaded query={query} rows={8}>
      {(page) => (
        <>
          <Table {...table} rows={page.items} />
          <Pager {...page} />
        </>
      )}
    </Loaded>
  );
}
