/** What a change made of which fields, for the audit trail: before and after. Secrets only show that they changed. */
import { MASK } from '../../kernel/secrets/mask';
import { isSecretName } from '../../kernel/secrets/secret-names';

/** The value before and the value after, by the name of the field. */
export type Changes = Readonly<Record<string, readonly [string, string]>>;

/** A trail is read by people. */
const MAX_LENGTH = 200;
const MAX_CHANGES = 100;

export function changesBetween(before: object, after: object): Changes {
  const [old, current] = [flat(before), flat(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])].filter(
    (name) => (old[name] ?? '') !== (current[name] ?? ''),
  );
  return Object.fromEntries(
    names
      .sort()
      .slice(0, MAX_CHANGES)
      .map((name) => [name, [shown(name, old[name]), shown(name, current[name])] as const]),
  );
}

const shown = (name: string, value = ''): string =>
  value !== '' && isSecretName(name) ? MASK : value.slice(0, MAX_LENGTH);

/** Nested fields by their path; a list as one text. */
function flat(value: object, path = ''): Record<string, string> {
  const entries = Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const place = path === '' ? name : `${path}.${name}`;
    if (inner === undefined) return [];
    const isNested = typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !(inner instanceof Date);
    return isNested ? Object.entries(flat(inner, place)) : [[place, textOf(inner)] as const];
  });
  return Object.fromEntries(entries);
}

function textOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
