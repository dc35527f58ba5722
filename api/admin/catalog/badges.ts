import {
  createBadge,
  deleteBadge,
  editBadge,
  listBadges,
} from '../../../modules/catalog/badges.ts';
import { NewBadge, BadgeEdit } from '../../../modules/catalog/schemas/catalog-requests.ts';
import { Badge } from '../../../modules/catalog/schemas/catalog.ts';
import { defineResource } from '../../http/resource.ts';

export const badgeRoutes = defineResource({
  path: '/badges',
  tags: ['Badges'],
  permission: { reads: 'catalog.read', writes: 'catalog.write' },
  restaurants: 'SHARED',
  item: Badge,
  list: {
    operationId: 'listBadges',
    summary: 'Badges',
    description: 'Badges are sorted by their position.',
    sort: ['code', 'name', 'position', 'productCount'],
    run: ({ db }, page) => listBadges(db, page),
  },
  create: {
    operationId: 'createBadge',
    summary: 'Create a badge',
    description:
      'The code cannot be changed later. The bulk action SET_BADGES gives badges to products.',
    problems: ['duplicate'],
    body: NewBadge,
    run: createBadge,
  },
  edit: {
    operationId: 'editBadge',
    summary: 'Change a badge',
    description: 'An absent field keeps its value.',
    body: BadgeEdit,
    run: editBadge,
  },
  remove: {
    operationId: 'deleteBadge',
    summary: 'Delete a badge',
    description: 'The badge is removed from every product.',
    run: deleteBadge,
  },
});
