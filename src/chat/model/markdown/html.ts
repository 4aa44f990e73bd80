/** Escaping for the two places in HTML where text may stand. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const entity = (character: string): string => ENTITIES[character]!;

/** Between tags, where quotes mean nothing. */
export const escapeText = (text: string): string => (/[&<>]/.test(text) ? text.replace(/[&<>]/g, entity) : text);

/** In a value between double quotes. */
export const escapeValue = (text: string): string => (/[&<>"]/.test(text) ? text.replace(/[&<>"]/g, entity) : text);

/** In code, where highlighters escape every sign that means something anywhere. */
export const escapeCode = (text: string): string => text.replace(/[&<>"']/g, entity);
