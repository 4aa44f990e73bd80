/** The pages' texts: one JSON file per language beside this file. A new language needs only a new file. */
import { create } from 'zustand';
import { loadPart } from '../lazy-part';
import english from './en.json';
import { setRefusals } from './refusals';
import type { Sentences } from './sentences';

export type TextKey = keyof typeof english;
type Catalogue = Readonly<Partial<Record<TextKey, string>>>;
type Values = Readonly<Record<string, string | number>>;

const others = import.meta.glob<Catalogue>(['./*.json', '!./en.json'], { import: 'default' });

const refusals = import.meta.glob<Sentences>('./refusals/*.json', { import: 'default' });

export const LANGUAGES: readonly string[] = ['en', ...Object.keys(others).map((path) => path.slice(2, -5))];

interface Language {
  readonly name: string;
  /** With the country, if the browser names one, because date formats depend on it. */
  readonly locale: string;
  readonly catalogue: Catalogue;
}

export const useLanguage = create<Language>(() => ({ name: 'en', locale: 'en', catalogue: english }));

const STORED = 'partyline:language';

/** The language chosen in this browser on any page, then the browser's own languages. */
export function wantedLanguages(): readonly string[] {
  try {
    const chosen = localStorage.getItem(STORED);
    return chosen === null ? navigator.languages : [chosen, ...navigator.languages];
  } catch {
    return navigator.languages;
  }
}

/** Chooses a language for all pages of this server in this browser. */
export async function keepLanguage(name: string): Promise<void> {
  try {
    localStorage.setItem(STORED, name);
  } catch {
    // Remembered until the page is closed.
  }
  await chooseLanguage([name]);
}

/** Loaders of further texts that a page needs in the chosen language. */
const further: ((language: string) => Promise<void>)[] = [];

export function loadWithLanguage(load: (language: string) => Promise<void>): void {
  further.push(load);
}

/** Chooses the first wanted language that has a catalogue. */
export async function chooseLanguage(wanted: readonly string[]): Promise<void> {
  const name = wanted.map(baseOf).find((each) => LANGUAGES.includes(each)) ?? 'en';
  const locale = [...navigator.languages, name].find((each) => baseOf(each) === name)!;
  const load = others[`./${name}.json`];
  // The page does not wait for these. Until they are loaded, refusals are in English.
  void loadRefusals(name);
  const [catalogue] = await Promise.all([load ? loadPart(load) : english, ...further.map((each) => each(name))]);
  document.documentElement.lang = name;
  document.documentElement.dir = catalogue['language.direction'] ?? 'ltr';
  useLanguage.setState({ name, locale, catalogue });
  linkManifest(name);
}

/** What the page is called once it is installed, and its shortcuts. */
function linkManifest(name: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
  const file = link?.href.replace(
    /(?:\.[a-z]{2,3})?\.webmanifest$/,
    name === 'en' ? '.webmanifest' : `.${name}.webmanifest`,
  );
  if (link && file !== undefined && link.href !== file) link.href = file;
}

async function loadRefusals(name: string): Promise<void> {
  const load = refusals[`./refusals/${name}.json`];
  setRefusals(load ? await loadPart(load).catch(() => ({})) : {});
}

const baseOf = (language: string): string => language.toLowerCase().split('-')[0]!;

/**
 * The text of a key, with `{name}` replaced by values. With `count`, the key with that count's plural suffix (`_one`,
 * `_other`, …) is preferred.
 */
export function t(key: TextKey, values: Values = {}): string {
  const { name, catalogue } = useLanguage.getState();
  const texts: Readonly<Record<string, string | undefined>> = catalogue;
  const plural = typeof values['count'] === 'number' ? pluralOf(name, values['count']) : undefined;
  const text = (plural && texts[`${key}_${plural}`]) ?? texts[key] ?? english[key];
  return text.replace(/\{(\w+)\}/g, (whole, field: string) => String(values[field] ?? whole));
}

const rules = new Map<string, Intl.PluralRules>();

function pluralOf(language: string, count: number): string {
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  return rule.select(count);
}
