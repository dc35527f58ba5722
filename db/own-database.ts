import { databaseFailure, StartFailure } from '../platform/start-failure.ts';
import { openDatabase, type Database, type DatabaseOptions } from './database.ts';

/** {@link openDatabase} at the start of a program. Throws StartFailure with one sentence for the person who has started it. */
export async function openOwnDatabase(options: DatabaseOptions): Promise<Database> {
  try {
    return await openDatabase(options);
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw databaseFailure(options.url, error);
  }
}
