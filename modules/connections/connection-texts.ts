/** Longest name and credential, in characters after trimming (rule CON-2). */
export const NAME_LENGTH = 200;
export const API_LOGIN_LENGTH = 500;

/** True when the name shows the credential, in whatever case: names are shown, credentials never are. */
export function repeatsCredential(name: string, apiLogin: string): boolean {
  return name.toLowerCase().includes(apiLogin.toLowerCase());
}
