import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REMEDIES, WORK_STATES, type Remedy, type WorkState } from '../../../src/kernel/jobs/work-queue-admin';
import { cannotBe, noSuchRemedy } from '../../../src/ops/model/faults';
import { refusalText, setRefusals } from '../../../web/shared/texts/refusals';
import type { Sentences } from '../../../web/shared/texts/sentences';

const root = join(__dirname, '../../..');
const folder = join(root, 'web/shared/texts/refusals');
const languages = readdirSync(folder).map((name) => name.replace('.json', ''));
const read = (language: string) => JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Sentences;

/** Code whose refusals no page shows: command line, sockets, carriers, programs of bots, examples of the reference. */
const OTHERS =
  /integrations\/|socket|carrier|change-instances|empty-inbox|read-delivery|http\/(refusals|body|mounts|wire-format)|model\/operator|narrow|queue-events|jobs\/consume|mail-entry-links|renderer|company-feed|register|push|external-account|set-subscription-properties|submessage|answer-/;

/** Mistakes that only programs can make: the pages never send such requests. */
const NOT_BY_PAGES =
  /basic auth|API key"? ?[(>]|Malformed (API key|JSON)|Invalid (API key|signature|authorization|size|token|request|status|interface|json|message type|APNS|'op')|X-User-Id|user_email|HTTP basic|incoming webhook bots\.|Dev environment|Can't decide|[Ee]vent queue|this queue|deliveries are waiting|does not accept bot|hotspot|presence|Presence|Missing parameter|[Dd]efault stream group|new_description|"op"|[Tt]oken|Key does not exist|storage limit|collects no reports|Unknown subscription|company_id|resync_required|such webhook$|Idempotency-Key|X-Partyline-Token|The body|pruned|in this queue|key is missing|field_data|not registered|username or password|key: is not valid|operator’s key|^(after|before): |was used for another|This API key|One of these|email and password|emoji_name|Client did|messagesIds|ids: name|dtmfmode|extension 101|^mode: |Flag not editable|^Invalid \{\}$|anchor|an valid type|Please (choose|supply)|prove where|Unexpected arguments|^\{\}(\[\{\}\])? is not (a boolean|a dict|a list|an allowed_type|an integer|\{\})$/;

/** The states in which each remedy is possible, so that no refusal for them exists. */
const POSSIBLE: Readonly<Record<Remedy, readonly WorkState[]>> = {
  retry: ['dead', 'discarded'],
  discard: ['waiting', 'dead'],
  replay: ['done'],
};

const CALLS =
  /(?:new Fault\(\s*'[\w-]+',|\b(?:plain|badRequest|badImage|invalid|loginRefused)\()\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;

/** In the server's words, with `{}` for each inserted value. */
const sentenceOf = (literal: string): string =>
  literal
    .slice(1, -1)
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}')
    .replace(/\\(.)/g, '$1');

const said = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !OTHERS.test(name))
  .flatMap((name) => [...readFileSync(join(root, 'src', name), 'utf8').matchAll(CALLS)])
  .map(([, literal]) => sentenceOf(literal!))
  .filter((sentence) => !NOT_BY_PAGES.test(sentence) && !/^(\{\})?$/.test(sentence));

test('The refusals of the server are extracted from the sources', () => {
  expect(new Set(said).size).toBeGreaterThan(150);
});

afterAll(() => setRefusals({}));

test.each(languages)('Every refusal that a page can meet is translated into %s', (language) => {
  setRefusals(read(language));
  const missing = [...new Set(said)].filter((sentence) => {
    const text = sentence.replaceAll('{}', 'x');
    return refusalText(text) === text;
  });
  expect(missing.toSorted()).toEqual([]);
});

test.each(languages)('A translation into %s uses only placeholders that the source text has', (language) => {
  for (const [sentence, translation] of Object.entries(read(language))) {
    const holes = sentence.split('{}').length - 1;
    const named = [...translation.matchAll(/\{(\d)\}/g)].map(([, at]) => Number(at));
    expect([sentence, named.filter((at) => at < 1 || at > holes)]).toEqual([sentence, []]);
  }
});

test.each(languages)('Refused remedies of an operator are translated into %s without English words', (language) => {
  setRefusals(read(language));
  const said = REMEDIES.flatMap((remedy) => [
    noSuchRemedy('mails', remedy, ['retry']).message,
    ...WORK_STATES.filter((state) => !POSSIBLE[remedy].includes(state)).map(
      (state) => cannotBe(remedy, '7', state).message,
    ),
  ]);
  const english = new RegExp(String.raw`\b(${[...WORK_STATES, ...REMEDIES].join('|')}|retried|replayed)\b`);
  expect(said.map(refusalText).filter((text) => english.test(text))).toEqual([]);
});

describe('Refusals', () => {
  beforeAll(() => setRefusals(read('de')));
  test.each([
    ['is said with what the server named', "Stream 'a; b' does not exist", 'Einen Stream „a; b“ gibt es nicht'],
    [
      'keeps the names of fields',
      'work_email: is required; x.y: must be text',
      'work_email: ist nötig; x.y: muss ein Text sein',
    ],
    [
      'keeps the words of a PBX',
      'The PBX answered 500: no room; nothing was created',
      'Die Anlage antwortete: 500: no room; nichts wurde angelegt',
    ],
    [
      'names the loss of messages',
      'discard_voicemail: must be true, as changing data.secret deletes the messages and greetings of the mailbox',
      'discard_voicemail: muss true sein: Wer data.secret ändert, löscht die Nachrichten und Ansagen der Mailbox',
    ],
    [
      'says why a push service took nothing',
      'The push service did not take it: The push service answered 413',
      'Der Push-Dienst hat es nicht angenommen: Er hat mit 413 geantwortet',
    ],
    ['that nobody knows is shown as it is', 'Out of cheese', 'Out of cheese'],
  ])('A refusal %s', (_, english, german) => {
    expect(refusalText(english)).toBe(german);
  });
});
