import type { Emulator } from '../../packages/erp-emulator/server.ts';
import { CANARY } from './erp-orders.ts';

type Chain = {
  organizations: { id: string }[];
  dictionaries: { guestCategories: { id: string; name: string; isActive: boolean }[] };
};
type Guest = {
  id: string;
  phone: string | null;
  comment: string | null;
  categoryIds: string[];
  isDeleted: boolean;
};
type Edit = {
  comment?: string | null;
  append?: string;
  addCategoryIds?: string[];
  removeCategoryIds?: string[];
  isDeleted?: boolean;
  when?: 'now' | 'after-read' | 'after-write';
};

export async function readLoyalty(emulator: Emulator) {
  const { organizations, dictionaries } = await emulator.control<Chain>('state');
  const [, , dessert, roll] = dictionaries.guestCategories.map(({ id }) => id);
  return {
    organizationId: organizations[0]!.id,
    dessert: dessert!,
    roll: roll!,
    categories: dictionaries.guestCategories,
    put: async (fields: Partial<Guest> = {}): Promise<string> => {
      const body = { name: CANARY.name, phone: CANARY.phone, ...fields };
      return (await emulator.control<{ guest: Guest }>('put-customer', body)).guest.id;
    },
    edit: (id: string, edit: Edit) => emulator.control('edit-customer', { id, ...edit }),
    read: async (id: string): Promise<Guest> => {
      const { customers } = await emulator.control<{ customers: Guest[] }>('customers');
      return customers.find((customer) => customer.id === id)!;
    },
  };
}
