import { Link } from '@tanstack/react-router';
import type { Data } from '../../data/api.ts';
import { Table } from '../../parts/data-table.tsx';
import css from '../../parts/parts.module.css';
import { Status } from '../../parts/values.tsx';
import { t } from '../../texts/texts.ts';

/** Listed rows; the sheet may have 1,000 changes. */
const MOST_LISTED = 100;

const shortText = (text: string | null): string =>
  text === null || text === '' ? '—' : text.length > 120 ? `${text.slice(0, 120)}…` : text;

/** Changes of a sheet, and its errors by row. */
export function SheetChanges({ answer }: { answer: Data<'importProductTexts'> }) {
  const { rows, unchanged, changes, errorCount, errors } = answer;
  return (
    <div className={css['stack']}>
      <p>
        <Status tone={errorCount > 0 ? 'bad' : 'good'}>
          {t('sheet.result', { rows, changed: changes.length, unchanged, errors: errorCount })}
        </Status>
      </p>
      {errorCount > 0 && (
        <Table
          label={t('sheet.errors')}
          rows={errors}
          rowId={({ row, field, code }) => `${row} ${field} ${code}`}
          empty={{ text: t('bulk.nothing') }}
          columns={[
            {
              id: 'row',
              header: t('sheet.row'),
              isNumber: true,
              cell: ({ row }) => (row === null ? '—' : String(row)),
            },
            { id: 'field', header: t('sheet.column'), cell: ({ field }) => <code>{field}</code> },
            { id: 'message', header: t('sheet.errors'), cell: ({ message }) => message },
          ]}
        />
      )}
      {errorCount > errors.length && <p className={css['muted']}>{t('sheet.moreErrors')}</p>}
      {changes.length > 0 && (
        <Table
          label={t('sheet.changes')}
          rows={changes.slice(0, MOST_LISTED)}
          rowId={({ row, productId }) => `${row} ${productId}`}
          empty={{ text: t('bulk.nothing') }}
          columns={[
            { id: 'row', header: t('sheet.row'), isNumber: true, cell: ({ row }) => String(row) },
            {
              id: 'product',
              header: t('find.product'),
              cell: ({ productId }) => (
                <Link to={`/products/${productId}`}>{t('bulk.product', { id: productId })}</Link>
              ),
            },
            {
              id: 'texts',
              header: t('sheet.changes'),
              cell: ({ texts }) => (
                <ul>
                  {texts.map(({ field, before, after }) => (
                    <li key={field}>
                      <code>{field}</code>{' '}
                      <span translate="no">
                        {shortText(before)} → {shortText(after)}
                      </span>
                    </li>
                  ))}
                </ul>
              ),
            },
          ]}
        />
      )}
      {changes.length > MOST_LISTED && (
        <p className={css['muted']}>{t('sheet.moreChanges', { count: MOST_LISTED })}</p>
      )}
    </div>
  );
}
