import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createContext, memo, use, useDeferredValue, type ReactNode } from 'react';
import { useUrl } from '../data/url.ts';
import { readOne } from '../pure/search.ts';
import { t } from '../texts/texts.ts';
import { Pager } from './pager.tsx';
import { EmptyState, Loaded, type Empty } from './states.tsx';
import css from './table.module.css';

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The field by which the server sorts. */
  sort?: string;
  isNumber?: boolean;
};

export type Selection = {
  ids: ReadonlySet<string>;
  change: (ids: ReadonlySet<string>) => void;
  /** Ids of the rows on all pages, if one click can select all of them. */
  all?: readonly string[];
};

type TableProps<Row> = {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  empty: Empty;
  selection?: Selection | undefined;
};

const toggled = (
  ids: ReadonlySet<string>,
  changed: readonly string[],
  isOn: boolean,
): ReadonlySet<string> =>
  isOn ? new Set([...ids, ...changed]) : new Set(ids).difference(new Set(changed));

/** Separate from the rows, so that a selection does not render them again. */
const SelectionContext = createContext<Selection | null>(null);

/**
 * Shows rows, or cards at a narrow width. Renders in the background, so that the page stays
 * responsive.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { rows, empty, selection, label, rowId } = props;
  const shown = useDeferredValue(props, { ...props, rows: [] });
  if (rows.length === 0) return <EmptyState {...empty} />;

  return (
    <div
      className={css['wrap']}
      tabIndex={0}
      role="region"
      aria-label={label}
      aria-busy={shown !== props}
    >
      <SelectionContext value={selection ?? null}>
        <table className={css['table']}>
          <thead>
            <tr>
              {selection !== undefined && (
                <th className={css['check']}>
                  <SelectAll
                    ids={selection.all ?? rows.map(rowId)}
                    isEvery={selection.all !== undefined}
                  />
                </th>
              )}
              {props.columns.map((column) => (
                <Header key={column.id} column={column} />
              ))}
            </tr>
          </thead>
          <Body table={shown as TableProps<unknown>} />
        </table>
      </SelectionContext>
    </div>
  );
}

const Body = memo(function Body({ table }: { table: TableProps<unknown> }) {
  return (
    <tbody>
      {table.rows.map((row) => (
        <BodyRow key={table.rowId(row)} row={row} table={table} />
      ))}
    </tbody>
  );
});

function BodyRow({
  row,
  table: { columns, rowId, selection },
}: {
  row: unknown;
  table: TableProps<unknown>;
}) {
  return (
    <tr>
      {selection !== undefined && (
        <td className={css['check']} data-label={t('table.select')}>
          <Select id={rowId(row)} />
        </td>
      )}
      {columns.map(({ id, header, cell, isNumber }) => (
        <td key={id} data-label={header} className={isNumber === true ? css['end'] : undefined}>
          <div>{cell(row)}</div>
        </td>
      ))}
    </tr>
  );
}

function SelectAll({ ids, isEvery }: { ids: readonly string[]; isEvery: boolean }) {
  const selection = use(SelectionContext)!;
  return (
    <input
      type="checkbox"
      aria-label={t(isEvery ? 'table.selectEvery' : 'table.selectAll')}
      checked={ids.every((id) => selection.ids.has(id))}
      onChange={({ target }) => selection.change(toggled(selection.ids, ids, target.checked))}
    />
  );
}

function Select({ id }: { id: string }) {
  const selection = use(SelectionContext);
  return (
    <input
      type="checkbox"
      aria-label={t('table.select')}
      checked={selection?.ids.has(id) === true}
      onChange={({ target }) => selection?.change(toggled(selection.ids, [id], target.checked))}
    />
  );
}

function Header<Row>({ column: { header, sort, isNumber } }: { column: Column<Row> }) {
  const [search] = useUrl();
  const className = isNumber === true ? css['end'] : undefined;
  if (sort === undefined) return <th className={className}>{header}</th>;
  const [field, direction] = (readOne(search, 'sort') ?? '').split(',');
  const isSorted = field === sort;
  const next = isSorted && direction === 'asc' ? 'desc' : 'asc';

  return (
    <th
      className={className}
      aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <Link
        to="."
        className={css['sort']!}
        search={
          ((before: object) => ({ ...before, sort: `${sort},${next}`, page: undefined })) as never
        }
      >
        {header}
        <span aria-hidden="true">{isSorted ? (direction === 'asc' ? '↑' : '↓') : '↕'}</span>
      </Link>
    </th>
  );
}

export type PageOf<Row> = { items: readonly Row[]; page: number; size: number; total: number };

type DataTableProps<Row> = Omit<TableProps<Row>, 'rows'> & { query: UseQueryResult<PageOf<Row>> };

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
