import type { Selectable } from 'kysely';
import type { Tables } from './tables.ts';

type Name<Table extends keyof Tables> = Extract<keyof Tables[Table], string>;

type ColumnOf<Table extends keyof Tables, Column> = Selectable<Tables[Table]>[Column &
  keyof Selectable<Tables[Table]>];

/**
 * A row of the `sql` tag: columns, possibly renamed (`'erpId as itemId'`), and computed values.
 * Intersect rows of several tables. A left join is `Nullable<Row<…>>`.
 */
export type Row<
  Table extends keyof Tables,
  Column extends Name<Table> | `${Name<Table>} as ${string}`,
  Computed = unknown,
> = {
  [C in Column as C extends `${string} as ${infer Alias}` ? Alias : C]: ColumnOf<
    Table,
    C extends `${infer Original} as ${string}` ? Original : C
  >;
} & Computed;
