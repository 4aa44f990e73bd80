import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../../web/shared/texts');
const catalogues = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('de.json'),
);

/** The informal form: its pronouns, and the imperatives of verbs that address the user. */
const PRONOUNS = /(?<!\p{L})(?:du|dich|dir|dein(?:e[mnrs]?)?|euch|eure?[mnrs]?)(?!\p{L})/iu;
const VERBS =
  'änder beheb behalt beginn erhöh ergänz erneuer forder frag füg führ häng installier korrigier leg lösch meld nenn ' +
  'nutz öffn prüf schreib senk setz start such trag versuch verwend wähl wandl wart';
const IRREGULAR = 'gib hilf komm lass lies nimm sieh triff vergiss wirf';
const IMPERATIVE = new RegExp(
  String.raw`(?:^|[.:;!?–] |, |„|(?:und|oder|dann) )(?:(?:${VERBS.replaceAll(' ', '|')})e|${IRREGULAR.replaceAll(' ', '|')})(?!\p{L}| ?: |$)(?! ?(?:\{|nach))`,
  'iu',
);

test('There are three German catalogues', () => {
  expect(catalogues.toSorted()).toEqual(['de.json', join('operators', 'de.json'), join('refusals', 'de.json')]);
});

test.each(catalogues)('The German texts of %s address users formally', (name) => {
  const texts = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>;
  const familiar = Object.entries(texts).filter(([, text]) => PRONOUNS.test(text) || IMPERATIVE.test(text));
  expect(familiar).toEqual([]);
});

test.each(['Deine Sitzung ist zu Ende.', 'Starte einen.', 'Geht nicht; nimm Redis 7.', 'Das Netz gehört dir allein.'])(
  'The check finds the familiar form in "%s"',
  (text) => {
    expect(PRONOUNS.test(text) || IMPERATIVE.test(text)).toBe(true);
  },
);
