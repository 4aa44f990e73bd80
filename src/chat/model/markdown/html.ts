/** HTML escaping for the contexts in which text may occur. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const entity = (character: string): string => ENTITIES[character]!;

/** Between tags, where quotes need no escaping. */
export const escapeText = (text: string): string => (/[&<>]/.test(text) ? text.replace(/[&<>]/g, entity) : text);

/** In an attribute value in double quotes. */
export const escapeValue = (text: string): string => (/[&<>"]/.test(text) ? text.replace(/[&<>"]/g, entity) : text);

/** The text of an escaped value. */
export const unescapeValue = (value: string): string =>
  value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** By number, for code that knows no names of entities. */
export const escapeAsNumbers = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** In code, as highlighters escape it. */
export const escapeCode = (text: string): string => text.replace(/[&<>"']/g, entity);
