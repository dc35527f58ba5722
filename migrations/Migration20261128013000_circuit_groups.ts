import { Migration } from '@mikro-orm/migrations';

/** Gives each group of endpoints of a connection a circuit of its own (rule ERP-26). */
export class Migration20261128013000_circuit_groups extends Migration {
  override up(): void {
    this.addSql('delete from erp_circuit');
    this.addSql(`
      -- The table is empty and has at most five rows for each connection.
      -- squawk-ignore adding-required-field
      alter table erp_circuit add column endpoint_group text not null`);
    this.addSql('alter table erp_circuit drop constraint erp_circuit_pkey');
    this.addSql(`
      -- squawk-ignore adding-serial-primary-key-field, constraint-missing-not-valid
      alter table erp_circuit add primary key (connection_id, endpoint_group)`);
  }

  override down(): void {
    this.addSql('delete from erp_circuit');
    this.addSql('alter table erp_circuit drop constraint erp_circuit_pkey');
    this.addSql('alter table erp_circuit drop column endpoint_group');
    this.addSql('alter table erp_circuit add primary key (connection_id)');
  }
}
