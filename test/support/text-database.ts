import type * as product from '../../platform/db/database.ts';
import { openDatabase as open } from '../../modules/own-database.ts';
import { textSql, type TextSql } from '../../platform/db/text-sql.ts';

export type Sql = product.Sql & TextSql;
export type Tx = product.Tx & TextSql;
export type Database = Omit<product.Database, 'transaction'> &
  TextSql & {
    transaction<T>(work: (tx: Tx) => Promise<T>, options?: product.TransactionOptions): Promise<T>;
  };

export const openDatabase = async (options: product.DatabaseOptions): Promise<Database> =>
  withText(await open(options));

function withText(db: product.Database): Database {
  const transaction = db.transaction.bind(db);
  return Object.assign(db, textSql(db), {
    transaction: <T>(work: (tx: Tx) => Promise<T>, options?: product.TransactionOptions) =>
      transaction((tx) => work(Object.assign(tx, textSql(tx))), options),
  });
}
