/** The texts that a product writes to people: one JSON file per language in a folder. A new language needs only a new file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Texts = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;

/** Writes texts in one language. */
export interface Words<Key extends string> {
  readonly language: string;
  /** `{name}` is replaced by a value. With `count`, the key with that count's plural suffix (`_one`, `_other`) is preferred. */
  readonly say: (key: Key, values?: Values) => string;
}

export type Catalogues<Key extends string> = (wanted: string) => Words<Key>;

const ENGLISH = 'en';

/** More that a browser wants are not looked at. */
const MAX_WANTED = 10;

/** Gives the words of the first known language among those wanted, such as `de-AT` or `fr,de;q=0.9`, or English. */
export function openCatalogues<Key extends string>(folder: string): Catalogues<Key> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Texts;
  const known = new Map(names.map((name) => [name.slice(0, -'.json'.length), read(name)]));
  const english = known.get(ENGLISH)!;
  const words = new Map([...known].map(([language, texts]) => [language, wordsOf(language, texts, english)]));
  return (wanted) => {
    const languages = wanted.toLowerCase().split(',', MAX_WANTED);
    const first = languages.map((each) => each.trim().split(/[-_;]/, 1)[0]!).find((each) => words.has(each));
    return words.get(first ?? ENGLISH)!;
  };
}

function wordsOf(language: string, texts: Texts, english: Texts): Words<string> {
  const plurals = new Intl.PluralRules(language);
  return {
    language,
    say(key, values = {}) {
      const { count } = values;
      const plural = typeof count === 'number' ? texts[`${key}_${plurals.select(count)}`] : undefined;
      const text = plural ?? texts[key] ?? english[key]!;
      return text.replace(/\{(\w+)\}/g, (whole, field: string) => String(values[field] ?? whole));
    },
  };
}
