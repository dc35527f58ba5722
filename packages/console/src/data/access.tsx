import { OPERATION_PERMISSIONS, type Profile } from '@carte/client/admin';
import { createContext, use } from 'react';
import { lackingPermission } from '../pure/permissions.ts';
import type { OperationId } from './api.ts';

export const ProfileContext = createContext<Profile | null>(null);

/** Throws outside of the frame. */
export function useProfile(): Profile {
  const profile = use(ProfileContext);
  if (profile === null) throw new Error('There is no signed-in person.');
  return profile;
}

/**
 * Returns a function that returns the missing permission for an operation, or null. Only
 * explains: the server decides.
 */
export function useAccess(): (operation: OperationId, choice?: string) => string | null {
  const { permissions } = useProfile();
  return (operation, choice) =>
    lackingPermission(OPERATION_PERMISSIONS[operation], permissions, choice);
}

/** Returns true before the sign-in, for public operations. */
export function useMayRead(operation: OperationId): boolean {
  const profile = use(ProfileContext);
  return (
    profile === null ||
    lackingPermission(OPERATION_PERMISSIONS[operation], profile.permissions) === null
  );
}
