import { Migration } from '@mikro-orm/migrations';

const HISTORY = `
create table client_history (
  client_id uuid primary key references compensation_client (id) on delete cascade,
  connection_id bigint not null references connection (id),
  orders_from timestamptz not null,
  orders_to timestamptz not null,
  asked_at timestamptz)`;

/** Clients whose older orders are still to be read at the ERP, after it was not heard for long. */
export class Migration20261123070000_client_history extends Migration {
  override up(): void {
    this.addSql(HISTORY);
    this.addSql('create index client_history_next on client_history (connection_id, asked_at nulls first, client_id)');
  }

  override down(): void {
    this.addSql('drop table client_history');
  }
}
