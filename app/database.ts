/** What api, activities and workers may know of the database: enough to hand it to a use case (the layer `db` itself stays behind `app`). */
export type { Database, Sql, Tx } from '../db/database.ts';
