import { api, attempt, every } from './api.ts';
import { startCart } from './cart.ts';
import { checkSoon, startCheckout } from './checkout.ts';
import { byId, h, show } from './dom.ts';
import { markStopped, showMenu, startSearch } from './menu.ts';
import { followOrder } from './order.ts';
import { startAccount } from './sign-in.ts';
import { stoppedOf, store } from './store.ts';

const AVAILABILITY_SECONDS = 4;
const CHOSEN = 'carte.restaurant';
let etag: string | null = null;

async function start(): Promise<void> {
  await startAccount();
  const list = await attempt(() => api.listOrganizations({ size: 200 }));
  const organizations = list?.data.items ?? [];
  const select = byId<HTMLSelectElement>('restaurant');
  show(select, ...organizations.map(({ id, name }) => h('option', { value: id }, name)));
  select.onchange = () => void open(select.value);
  const known = new URLSearchParams(location.search).get('restaurant') ?? localStorage.getItem(CHOSEN);
  const first = organizations.find(({ id }) => id === known) ?? organizations[0];
  if (first !== undefined) await open(first.id);
  void followOrder();
  every(AVAILABILITY_SECONDS, followStops);
  every(AVAILABILITY_SECONDS * 5, followMenu);
}

/** Shows another restaurant: its menu, its hours and what can be ordered there. */
async function open(organizationId: string): Promise<void> {
  Object.assign(store, { organizationId, menu: null, context: null, stopped: stoppedOf(null) });
  etag = null;
  byId<HTMLSelectElement>('restaurant').value = organizationId;
  localStorage.setItem(CHOSEN, organizationId);
  await attempt(async () => {
    const [menu, context] = await Promise.all([
      api.getMenu({ organization_id: organizationId }),
      api.getContext({ organization_id: organizationId }),
    ]);
    Object.assign(store, { menu: menu.data, context: context.data });
  });
  await followStops();
  showStatus();
  await startSearch();
  await showMenu();
  await startCart(checkSoon);
  startCheckout(open);
  checkSoon();
}

function showStatus(): void {
  const { context } = store;
  if (context === null) return;
  const { status, organization, notices } = context;
  const hours = status.schedule.map(({ days, pickup }) => `${days} ${pickup}`).join('; ');
  byId('status').textContent = `${status.open ? 'Открыто' : 'Закрыто'}. ${organization.address ?? ''} ${hours}`;
  show(
    byId('notices'),
    ...notices.map(({ title, text }) => h('p', { class: 'notice' }, h('strong', {}, title), ` ${text}`)),
  );
}

/** A stop-list changes without a reload; an answer that still holds costs a few bytes. */
async function followStops(): Promise<void> {
  const { organizationId } = store;
  const answer = await api.getAvailability({ organization_id: organizationId }, { ifNoneMatch: etag });
  if (answer.status === 304 || organizationId !== store.organizationId) return;
  const before = store.stopped.variants;
  etag = answer.etag;
  store.stopped = stoppedOf(answer.data);
  markStopped(before);
  checkSoon();
}

async function followMenu(): Promise<void> {
  const { organizationId } = store;
  const [revision, context] = await Promise.all([
    api.getMenuRevision({ organization_id: organizationId }),
    api.getContext({ organization_id: organizationId }),
  ]);
  if (organizationId !== store.organizationId) return;
  store.context = context.data;
  showStatus();
  if (revision.data.revision === store.menu?.revision) return;
  const menu = await api.getMenu({ organization_id: organizationId });
  store.menu = menu.data;
  await showMenu();
}

await start();
