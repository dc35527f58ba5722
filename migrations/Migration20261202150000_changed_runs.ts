import { IndexMigration } from './support/index-migration.ts';

/** Adds the index behind the list of runs that have written something (MIR-98). */
export class Migration20261202150000_changed_runs extends IndexMigration {
  override readonly indexes = {
    sync_run_changed_index: `sync_run (id desc) where status = 'SUCCESS' and jsonb_path_exists(result,
      '$.applied.** ? (@.changed == true || @.changed > 0 || @.created > 0 || @.updated > 0 || @.deactivated > 0)')`,
  };
}
