/** Purposes of what this folder encrypts: a text sealed for something else cannot be opened as one of these. */
export const API_LOGIN_PURPOSE = 'connection.apiLogin';
export const TOKEN_PURPOSE = 'erp.token';
