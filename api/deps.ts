import type { Client } from '@temporalio/client';
import type { Keyring } from '../modules/access/keyring.ts';
import type { ProductIssue } from '../modules/catalog/product-issues.ts';
import type { VariantWatch } from '../modules/catalog/variant-deps.ts';
import type { Database } from '../platform/db/database.ts';
import type { GuestIdentities } from '../modules/access/customers/guest-identities.ts';
import type { ClientCards } from '../modules/gifts/client-cards.ts';
import type { AddressSearch } from '../modules/delivery/addresses/address-search.ts';
import type { ErpStreets } from '../modules/delivery/addresses/erp-streets.ts';
import type { ErpServing } from '../modules/delivery/zones/erp-serving.ts';
import type { DeliveryMaps } from '../modules/delivery/zones/delivery-map.ts';
import type { FacetCatalogues } from '../modules/menus/storefront/facet-catalogue.ts';
import type { MenuView } from '../modules/menus/storefront/menu-views.ts';
import type { Clocks } from '../modules/delivery/fulfillment-store.ts';
import type { SchedulePlan } from '../modules/mirror/schedules/schedule-plan.ts';
import type { MediaDeps } from '../modules/media/media-deps.ts';
import type { Queues } from '../kernel/pure/queues.ts';
import type { Env } from '../modules/env.ts';
import type { IdentityProvider } from '../platform/identity-provider.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { SecretBox } from '../platform/secrets.ts';

/** Everything a handler may reach. `api/api.ts` fills it once; a capability that needs more adds its port here. */
export type Deps = {
  db: Database;
  env: Env;
  log: Log;
  metrics: Metrics;
  secrets: SecretBox;
  /** Files of images, and the bounded room for images in work. */
  media: MediaDeps['media'];
  /** What bindings do when staff add or remove variants. */
  variantWatch: VariantWatch;
  /** Problems with dishes of products that need staff. */
  productIssues: readonly ProductIssue[];
  /** Keys of access and refresh tokens. */
  keyring: Keyring;
  /** Where staff sign in without a password of ours; null when none is configured. */
  identityProvider: IdentityProvider | null;
  /** Customers and carts of the storefront API. */
  guests: GuestIdentities;
  /** Connected Temporal client; only use cases that start or signal workflows use it. */
  temporal: Client;
  queues: Queues;
  /** The published menu of one organization, for the smaller public answers; throws what `/menu` answers. */
  readMenuView: (erpId: string | undefined) => Promise<MenuView>;
  /** What the catalogue offers to filter by. */
  facetCatalogues: FacetCatalogues;
  /** When served organizations are open and take orders, from memory. */
  clocks: Clocks;
  /** Delivery zones of all organizations. */
  deliveryMaps: DeliveryMaps;
  /** Finds points of addresses; null when no geocoder is configured. */
  addressSearch: AddressSearch | null;
  /** What the ERP promises customers. */
  clientCards: ClientCards;
  /** Who delivers to a point by the word of the ERP. */
  erpServing: ErpServing;
  /** Streets that the ERP knows. */
  erpStreets: ErpStreets;
  /** How often each import is scheduled; what a run has missed is measured by it. */
  intervals: SchedulePlan['jobs'];
};
