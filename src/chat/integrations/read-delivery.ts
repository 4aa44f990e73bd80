/** Reads a delivery as its service writes it, and finds what tells a repeat of it from something new. */
import { createHash } from 'node:crypto';
import querystring from 'node:querystring';
import { Fault } from '../../kernel/fault';
import { isTooDeep } from '../../kernel/json-depth';
import { parseWhole } from '../../kernel/whole-text';
import { malformedJson } from '../model/faults';
import { missingEventHeader, type Integration } from './integration';
import { textAt } from './payload';
import { shortenTopic } from './shorten';

export interface Posted {
  readonly stream?: string | undefined;
  readonly topic?: string | undefined;
  readonly body: string;
  readonly query: Readonly<Record<string, unknown>>;
  header(name: string): string;
}

/** Ours, in the address of every integration. The key must not get into what is stored. */
const ADDRESS_FIELDS = new Set(['api_key', 'stream', 'topic', 'branches']);
/** No service nests so far; whatever walks a payload may recurse. */
const MOST_DEPTH = 64;
/** A service that names no delivery may say the same thing again later, and mean it. */
const SAME_BODY_WINDOW_MS = 60_000;
/** A name of a label: nothing in it grows when it is encoded, and two fit into the column, which ends at 190. */
const CHOICE = /^[\w.-]{1,60}$/;
/** A repeat comes soon: as long as a window is young, the one before is looked at too. */
const LOOK_BACK_MS = 20_000;
/** Longer ids are told apart by their hash: the column ends at 190. */
const MOST_ID_CHARACTERS = 120;

/** JSON whatever the type says; forms and addresses where the service sends them. */
export function readPayload(integration: Integration, { body, query }: Posted): unknown {
  const { acceptsForms = false, acceptsQuery = false } = integration;
  if (acceptsQuery && body.trim() === '') return withoutAddress(query);
  const parsed = parseJson(body);
  if (parsed !== undefined) return parsed;
  if (!acceptsForms || !body.includes('=')) throw malformedJson();
  const fields = querystring.parse(body);
  if (typeof fields['payload'] !== 'string') return withoutAddress(fields);
  const payload = parseJson(fields['payload']);
  if (payload === undefined) throw malformedJson();
  return payload;
}

function parseJson(text: string): unknown {
  if (isTooDeep(text, MOST_DEPTH)) {
    throw new Fault('invalid', `JSON is nested more than ${MOST_DEPTH} levels deep`, { code: 'BAD_REQUEST' });
  }
  try {
    return parseWhole(text);
  } catch {
    return undefined;
  }
}

const withoutAddress = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !ADDRESS_FIELDS.has(name)));

/** What the address chose, written as an address. What is no name of a label is as good as nothing. */
export function chosen(choices: readonly string[], query: Readonly<Record<string, unknown>>): string {
  const fields = choices.flatMap((name): [string, string][] => {
    const value = query[name];
    return typeof value === 'string' && CHOICE.test(value) ? [[name, value]] : [];
  });
  return new URLSearchParams(fields).toString();
}

/** The kind of event: named by the service's header or field, or chosen by the address. */
export function eventOf(
  { eventHeader, eventField, choices = [] }: Integration,
  posted: Pick<Posted, 'query' | 'header'>,
  payload: unknown,
): string {
  if (eventHeader === undefined) return chosen(choices, posted.query);
  const event = posted.header(eventHeader) || (eventField === undefined ? '' : textAt(payload, eventField));
  if (event === '') throw missingEventHeader(eventHeader);
  return event.slice(0, 190);
}

/** Stream and topic as whoever wrote the address meant them, the topic no longer than topics are. */
export function placeOf({ decodesAddress = false }: Integration, { stream, topic }: Posted) {
  const read = (text: string | undefined) => (text === undefined || !decodesAddress ? text : decoded(text));
  const written = read(topic);
  return { stream: read(stream), topic: written === undefined ? undefined : shortenTopic(written) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that was meant.
    return text;
  }
}

export interface DedupeKey {
  /** Two deliveries to one bot with the same of these are one; the same event for another stream is another. */
  readonly key: string;
  /** Soon after a window has begun: the key it would have had in the window before. */
  readonly earlier?: string;
}

export function dedupeKeyOf(integration: Integration, posted: Posted, payload: unknown, now: number): DedupeKey {
  const { name, causeHeader, acceptsQuery = false } = integration;
  const own = ownId(integration, posted, payload);
  const place = `${posted.stream}\n${posted.topic}`;
  if (own !== '') return { key: `${name}:${own}@${hashOf(place).slice(0, 11)}` };
  const hash = hashOf(`${place}\n${acceptsQuery ? JSON.stringify(payload) : posted.body}`);
  const cause = causeHeader === undefined ? '' : posted.header(causeHeader);
  if (cause !== '') return { key: `${name}:${shortId(cause)}:${hash}` };
  const window = Math.floor(now / SAME_BODY_WINDOW_MS);
  const key = `${name}:${window}:${hash}`;
  return now % SAME_BODY_WINDOW_MS < LOOK_BACK_MS ? { key, earlier: `${name}:${window - 1}:${hash}` } : { key };
}

function ownId({ deliveryHeader, deliveryId }: Integration, posted: Posted, payload: unknown): string {
  const header = deliveryHeader === undefined ? '' : posted.header(deliveryHeader);
  return shortId(header === '' ? (deliveryId?.(payload) ?? '') : header);
}

const shortId = (id: string): string => (id.length <= MOST_ID_CHARACTERS ? id : hashOf(id));
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
