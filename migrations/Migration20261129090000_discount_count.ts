import { Migration } from '@mikro-orm/migrations';

/**
 * Counts the uses of each limited discount in 100 shares of its limit (ORD-103). Triggers also
 * count uses that processes of the previous release write. Writes to `discount_use` are blocked
 * while current uses of limited discounts are counted, about 1 ms per 2,000 uses.
 */
export class Migration20261129090000_discount_count extends Migration {
  override up(): void {
    this.addSql(`
      create table discount_count (
        discount_id bigint not null references discount (id) on delete cascade,
        share int not null check (share between 0 and 99),
        uses int not null,
        primary key (discount_id, share)
      ) with (fillfactor = 50)`);
    // A share may not exceed its part of the limit. The parts of all shares add up to the limit.
    this.addSql(`
      create function discount_use_counted() returns trigger language plpgsql as $$
      declare
        total int;
        chosen int;
      begin
        select total_uses into total from discount where id = new.discount_id;
        if total is null then
          -- A transaction that has not seen a new limit fails here and is retried.
          perform from discount where id = new.discount_id for share;
          return null;
        end if;
        select share into chosen from discount_count
         where discount_id = new.discount_id and uses < (total + share) / 100 order by random() limit 1;
        update discount_count set uses = uses + 1
         where discount_id = new.discount_id and share = chosen and uses < (total + share) / 100;
        if not found then
          raise exception 'discount % has no use left', new.discount_id
            using errcode = 'unique_violation', constraint = 'discount_use_counted', table = tg_table_name;
        end if;
        return null;
      end $$`);
    // Shares above their part are reduced first; while one exists, no share has a use left.
    this.addSql(`
      create function discount_use_returned() returns trigger language plpgsql as $$
      begin
        -- Waits for a change of the limit, which counts again what it sees.
        perform from discount where id = old.discount_id for key share;
        update discount_count set uses = uses - 1
         where discount_id = old.discount_id and share = (
           select counted.share from discount_count counted join discount on discount.id = counted.discount_id
            where counted.discount_id = old.discount_id
            order by greatest(counted.uses - (discount.total_uses + counted.share) / 100, 0) desc, random() limit 1);
        return null;
      end $$`);
    // Waits for orders that are using the discount. Orders that use it later fail and are retried.
    this.addSql(`
      create function discount_limited() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and new.total_uses is not distinct from old.total_uses then return null; end if;
        perform from discount where id = new.id for update;
        delete from discount_count where discount_id = new.id;
        insert into discount_count (discount_id, share, uses)
        select new.id, share, (used.uses + share) / 100
          from (select count(*) as uses from discount_use where discount_id = new.id) used, generate_series(0, 99) share
         where new.total_uses is not null;
        return null;
      end $$`);
    this.addSql(`
      create trigger discount_use_counted after insert on discount_use
        for each row execute function discount_use_counted()`);
    this.addSql(`
      create trigger discount_use_returned after delete on discount_use
        for each row execute function discount_use_returned()`);
    this.addSql(`
      create trigger discount_limited after insert or update of total_uses on discount
        for each row execute function discount_limited()`);
    this.addSql(`
      insert into discount_count (discount_id, share, uses)
      select discount.id, share, (used.uses + share) / 100
        from discount
        cross join lateral (select count(*) as uses from discount_use where discount_id = discount.id) used,
             generate_series(0, 99) share
       where discount.total_uses is not null`);
  }

  override down(): void {
    this.addSql('drop trigger discount_limited on discount');
    this.addSql('drop trigger discount_use_returned on discount_use');
    this.addSql('drop trigger discount_use_counted on discount_use');
    this.addSql('drop function discount_limited, discount_use_returned, discount_use_counted');
    this.addSql('drop table discount_count');
  }
}
