import type { Client } from '@temporalio/client';
import { createKnownKeys, type KnownKeys } from '../modules/access/api-keys/known-keys.ts';
import { createKeyring, type Keyring } from '../modules/access/keyring.ts';
import {
  createCustomerTokens,
  guestIdentities,
  type GuestIdentities,
} from '../modules/access/customers/customer-tokens.ts';
import { BINDING_WATCH } from '../modules/binding/binding-history.ts';
import { createDishFacts, type DishFacts } from '../modules/ordering/cart/dish-facts.ts';
import { createOrderWatch, type OrderWatch } from '../modules/ordering/orders/order-watch.ts';
import { guestAccess } from '../modules/ordering/cart/cart-access.ts';
import type { Product } from '../modules/wire-product.ts';
import { createGeocoder } from '../modules/delivery/addresses/geocoder.ts';
import { openMediaStore } from '../platform/open-media-store.ts';
import type { Documents } from '../modules/menus/storefront/documents.ts';
import {
  createMenuStore,
  loadDocuments,
  loadedDocuments,
  type MenuStore,
} from '../modules/menus/storefront/menu-store.ts';
import type { ProductIssue } from '../modules/catalog/products/list-products.ts';
import type { VariantWatch } from '../modules/catalog/commit-edit.ts';
import type { Database } from '../platform/db/database.ts';
import { createClientCards, type ClientCards } from '../modules/gifts/cards/client-cards.ts';
import {
  createAddressSearch,
  type AddressSearch,
} from '../modules/delivery/addresses/address-search.ts';
import { geocoderBudget } from '../modules/delivery/addresses/geocoder-budget.ts';
import type { ErpStreets } from '../modules/delivery/addresses/erp-streets.ts';
import { createErpServing, type ErpServing } from '../modules/delivery/zones/erp-serving.ts';
import { createDeliveryMaps, type DeliveryMaps } from '../modules/delivery/zones/delivery-map.ts';
import {
  createFacetCatalogs,
  type FacetCatalogs,
} from '../modules/menus/storefront/facet-catalog.ts';
import { createMenuViews, type MenuView } from '../modules/menus/storefront/menu-views.ts';
import {
  createFulfillmentStore,
  type Clocks,
  type FulfillmentStore,
} from '../modules/delivery/hours/fulfillment-store.ts';
import type { SchedulePlan } from '../modules/mirror/schedules/schedule-plan.ts';
import { createMedia, type MediaDeps } from '../modules/media/media-uses.ts';
import type { Queues } from '../kernel/pure/queues.ts';
import type { Env } from '../modules/env.ts';
import { createIdentityProvider, type IdentityProvider } from '../platform/identity-provider.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { WebhookSender } from '../platform/webhook-sender.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { createEventStreams, type EventStreams } from './http/live/event-streams.ts';
import { createStaffStreams, type StaffStreams } from './http/live/staff-streams.ts';
import { createStaffFeed } from '../modules/sync-status/staff-feed/staff-feed.ts';

export type Deps = {
  db: Database;
  env: Env;
  log: Log;
  metrics: Metrics;
  secrets: SecretBox;
  media: MediaDeps['media'];
  variantWatch: VariantWatch;
  productIssues: readonly ProductIssue[];
  keyring: Keyring;
  apiKeys: KnownKeys;
  /** Null if not configured. */
  identityProvider: IdentityProvider | null;
  guests: GuestIdentities;
  /** Only for use cases that start or signal workflows. */
  temporal: Client;
  queues: Queues;
  /** Throws the problems of `/menu`. */
  readMenuView: (erpId: string | undefined) => Promise<MenuView>;
  /** Undefined if the menu is not in memory. */
  loadedMenu: (erpId: string | undefined) => Documents | undefined;
  facetCatalogs: FacetCatalogs;
  /** In memory. */
  clocks: Clocks;
  streams: EventStreams;
  /** A subset of `streams`. */
  staffStreams: StaffStreams;
  exports: { running: number };
  orderWatch: OrderWatch;
  deliveryMaps: DeliveryMaps;
  /** Null without a geocoder. */
  addressSearch: AddressSearch | null;
  dishFacts: DishFacts;
  clientCards: ClientCards;
  /** Requests of guests need a time limit. */
  erp: Product['erp'];
  erpServing: ErpServing;
  erpStreets: ErpStreets;
  sendWebhook: WebhookSender;
  intervals: SchedulePlan['jobs'];
};

/** `menus` and `clocks` load menus on request until they are started. */
export async function createDeps(
  product: Product,
): Promise<{ deps: Deps & { clocks: FulfillmentStore }; menus: MenuStore }> {
  const { db, env, log, metrics, secrets, erp } = product;
  const menus = createMenuStore({ db, log, metrics, pollMs: env.SNAPSHOT_POLL });
  const viewOf = createMenuViews();
  const geocoder = createGeocoder(env, { metrics, takeCall: geocoderBudget(db.prepared, env) });
  const streams = createEventStreams({ env, metrics });
  const apiKeys = createKnownKeys({ db, log });
  const feed = createStaffFeed({ db, log });
  const deps = {
    ...product,
    media: createMedia({ store: await openMediaStore(env), uses: product.mediaUses }),
    variantWatch: BINDING_WATCH,
    keyring: createKeyring({ db, secrets }),
    apiKeys,
    identityProvider: createIdentityProvider(env),
    guests: guestIdentities(
      createCustomerTokens(env, { log, metrics }),
      guestAccess(db.prepared, secrets),
    ),
    intervals: product.plan.jobs,
    readMenuView: async (erpId: string | undefined) => viewOf(await loadDocuments(menus, erpId)),
    loadedMenu: (erpId: string | undefined) => loadedDocuments(menus, erpId),
    clocks: createFulfillmentStore({ db, env, log, pollMs: env.SNAPSHOT_POLL }),
    streams,
    staffStreams: createStaffStreams({ db, env, log, feed, streams, apiKeys }),
    exports: { running: 0 },
    orderWatch: createOrderWatch({ db, log }),
    deliveryMaps: createDeliveryMaps(db),
    facetCatalogs: createFacetCatalogs(db),
    addressSearch: geocoder === null ? null : createAddressSearch({ db, geocoder, env }),
    erpServing: createErpServing({ erp, log }),
    dishFacts: createDishFacts(),
    clientCards: createClientCards({ db, erp, secrets, log }),
  };

  return { deps, menus };
}
