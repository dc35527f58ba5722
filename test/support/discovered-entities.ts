import { MetadataDiscovery, type MetadataStorage } from '@mikro-orm/core';

type Discover = (this: MetadataDiscovery, preferTs?: boolean) => Promise<MetadataStorage>;

/**
 * Test processes open hundreds of databases with the same entities. Caching the ORM's discovery
 * saves a twelfth of the CPU time.
 */
const prototype: { discover: Discover } = MetadataDiscovery.prototype;
const { discover } = prototype;
let found: Promise<MetadataStorage> | undefined;

prototype.discover = function discoverOnce(preferTs) {
  found ??= discover.call(this, preferTs);
  return found;
};
