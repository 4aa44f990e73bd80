/** Checks the DKIM signature of a letter as a receiving server does (RFC 6376), for rsa-sha256 and relaxed/relaxed. */
import { createHash, createVerify, type KeyObject } from 'node:crypto';

type Keys = Readonly<Record<string, KeyObject>>;

export function hasGoodSignature(raw: string, keys: Keys): boolean {
  const end = raw.indexOf('\r\n\r\n');
  const fields = raw.slice(0, end).split(/\r\n(?![ \t])/);
  const signature = fields.find((field) => /^dkim-signature:/i.test(field));
  if (!signature) return false;
  const tags = tagsOf(signature);
  const key = keys[`${tags['s']}._domainkey.${tags['d']}`];
  if (tags['a'] !== 'rsa-sha256' || tags['c'] !== 'relaxed/relaxed' || !key) return false;
  const hash = createHash('sha256')
    .update(relaxedBody(raw.slice(end + 4)), 'latin1')
    .digest('base64');
  if (tags['bh'] !== hash) return false;
  const unsigned = relaxedField(signature.replace(/(\bb=)[^;]*/, '$1'));
  const signed = [...headersOf(tags['h']!, fields), unsigned].join('\r\n');
  return createVerify('sha256').update(signed, 'latin1').verify(key, tags['b']!, 'base64');
}

const tagsOf = (field: string): Record<string, string> =>
  Object.fromEntries(
    field
      .slice(field.indexOf(':') + 1)
      .split(';')
      .map((tag) => tag.replaceAll(/\s/g, ''))
      .filter((tag) => tag !== '')
      .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  );

/** The signed header fields. Of fields with one name, the last counts first. */
function headersOf(names: string, fields: readonly string[]): string[] {
  const left = [...fields];
  return names.split(':').flatMap((name) => {
    const at = left.findLastIndex((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return at === -1 ? [] : left.splice(at, 1).map(relaxedField);
  });
}

function relaxedField(field: string): string {
  const colon = field.indexOf(':');
  const value = field
    .slice(colon + 1)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${field.slice(0, colon).toLowerCase().trim()}:${value}`;
}

function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (lines.at(-1) === '') lines.pop();
  return lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`;
}
