import type { Proofs } from './mutation.ts';

/** Edits of staff, access, and duplicate commands. */
export const EDITS: Proofs = {
  'test/integration/catalog/edits-at-once.test.ts': {
    'modules/catalog/reserve-slug.ts holdBase drop advisory.slugs':
      'two products of one name that are created concurrently get two slugs',
    'kernel/edits.ts holdForEdit drop lockMode:': 'of two concurrent edits of one',
    'modules/catalog/products/edit-product.ts holdProduct unlock holdForEdit':
      'who waited for another that gave badges replaces those',
  },
  'test/http/catalog/import-texts.test.ts': {
    'modules/catalog/texts/import-texts.ts holdProducts drop .forUpdate':
      'is rejected after an edit that was not committed when it began',
  },
  'test/integration/catalog/beside-imports.test.ts': {
    'modules/catalog/commit-edit.ts commitEdit unwrap retryConflicts':
      'a command that is the victim of a deadlock runs again',
  },
  'test/integration/catalog/products.test.ts': {
    'modules/catalog/products/edit-product.ts editProduct drop holdProduct(version)':
      'with an older version is rejected with the stored one, also in concurrent edits',
  },
  'test/integration/catalog/create-product.test.ts': {
    'modules/catalog/variants/claim-items.ts claimItems false claimed.length':
      'of many requests for one dish exactly one wins',
    'modules/catalog/variants/claim-items.ts claimItems drop on conflict':
      'two requests at once: the second waits for the first and is rejected',
    'modules/catalog/variants/claim-items.ts claimItems drop do update':
      'is rejected also when it is given up at that moment',
  },
  'test/http/base/idempotency.test.ts': {
    'kernel/idempotency.ts findAnswer drop advisory.tryIdempotencyKey':
      'a request in flight makes its twin 409 and is not disturbed',
    'kernel/idempotency.ts findAnswer false stored': 'the same key and body give the same answer and one row',
  },
  'test/http/media/media.test.ts': {
    'modules/media/media-rows.ts insertMedia drop .onConflict': 'of the same content is the same media',
    'modules/media/media-files.ts storeFiles unwrap deps.media.pool.execute':
      'a full pool rejects new pictures with Retry-After and still answers for stored ones',
  },
  'test/http/access/api-keys.test.ts': {
    'kernel/edits.ts holdForEdit drop lockMode:': [
      'two concurrent rotations leave one current token',
      'a rotation during a revocation leaves no valid token',
    ],
  },
  'test/http/access/session.test.ts': {
    'modules/access/refresh.ts rotate drop .where session.counter':
      'gives two tabs the same successor, even in the same moment',
    'modules/access/refresh.ts refresh drop endReused()': 'ends the session when an old cookie comes back later',
    'modules/access/refresh.ts twin drop .where session.rotatedAt':
      'ends the session when an old cookie comes back later',
  },
  'test/integration/access/keys-and-seeds.test.ts': {
    'modules/access/keyring.ts createKey drop .onConflict':
      'of many instances that start concurrently are one pair per purpose',
    'modules/access/ensure-administrator.ts ensureAdministrator drop lockAdministrators()':
      'one of two concurrent starts with two e-mails creates an administrator',
    'modules/access/ensure-roles.ts ensureRoles drop .where access_role.code': 'roles are created once',
  },
  'test/integration/catalog/at-once.test.ts': {
    'modules/catalog/products/move-product.ts moveAll drop .forUpdate':
      'a product that is archived during its publication stays archived',
    'modules/catalog/products/edit-product.ts holdProduct unlock holdForEdit':
      'a main image that is removed during the publication of the product',
    'modules/catalog/categories/category-nesting.ts lockCategoryTree drop advisory.categoryTree':
      'at that moment is rejected',
    'modules/catalog/categories/archive-category.ts archiveCategory unlock holdForEdit':
      'a moment later keeps the category from being archived',
    'modules/catalog/products/product-content.ts category drop .forShare': 'at that moment is rejected',
    'modules/media/media-rows.ts existingMedia drop .forKeyShare': 'a picture that is deleted meanwhile is not found',
  },
  'test/integration/catalog/category-life.test.ts': {
    'modules/catalog/categories/category-nesting.ts lockCategoryTree drop advisory.categoryTree':
      'never becomes a circle under concurrent moves',
  },
  'test/integration/access/login-throttle.test.ts': {
    'kernel/window-count.ts countInWindow drop + 1': 'no more concurrent guesses pass',
  },
  'test/http/access/single-sign-on.test.ts': {
    'modules/access/sign-on/finish-sign-on.ts takeSignOn keep db.deleteFrom access_sign_on':
      'of many at once with one state all but one',
    'modules/access/user-fields.ts insertUser drop .onConflict': 'that signs on for the first time twice at once',
    'modules/access/sign-on/user-of-identity.ts link drop .onConflict':
      'that signs on for the first time twice at once',
  },
  'test/http/access/users.test.ts': {
    'modules/access/administrators.ts lockAdministrators drop advisory.administrators':
      'remains in the end, however many users remove the right',
    'modules/access/login.ts isStill drop .forShare': 'cannot sign in with the old password while a new one',
  },
  'test/integration/catalog/addresses.test.ts': {
    'refusal catalog_product_slug_taken': 'one of many concurrent requests gets an address',
    'modules/catalog/reserve-slug.ts holdSlug drop holdBase()':
      'a name that leads to an address which is being chosen gets the next one',
    'modules/catalog/reserve-slug.ts holdSlug drop [slug.replace()]':
      'a name that ends in a number does not collide with the suffix of a concurrent one',
  },
  'test/integration/catalog/bulk.test.ts': {
    'modules/catalog/products/bulk-products.ts attempt drop ….execute()':
      'a locked product, and one that fails, do not affect others',
    'modules/catalog/products/edit-product.ts holdProduct unlock holdForEdit':
      'competing bulks lose nothing of each other',
  },
  'test/integration/catalog/reference-data-races.test.ts': {
    'modules/catalog/products/product-content.ts badge drop .forKeyShare':
      'a badge that is deleted meanwhile is not found, and nothing half is left',
    'kernel/edits.ts saveKeyed true old.version =': 'of competing profiles of a modifier one wins',
  },
};

/** Concurrent changes, uses and deletions of media. */
export const MEDIA: Proofs = {
  'test/integration/media/pictures.test.ts': {
    'kernel/edits.ts holdForEdit drop lockMode:': 'a product that has begun to show it wins over its deletion',
    'modules/media/update-media.ts updateMedia drop seen:':
      'one of two concurrent edits wins, and the loser gets the version',
  },
  'test/integration/media/sweep.test.ts': {
    'modules/media/claims.ts claimForRemoval true media_claim.until <':
      'that came first keeps its files, although no row has them yet',
    'modules/media/claims.ts claimForWriting true media_claim.purpose =':
      'that came second is busy until the files are removed, and then writes them again',
    'modules/media/sweep-media.ts removeClaimed false failed':
      'that ends in the middle keeps its claim until it expires; then the rest is removed',
    'modules/media/sweep-media.ts removeClaimed unwrap withoutRow':
      'a file whose row appears between the look and the claim stays',
  },
};
