/** Parses a delivery, and derives the dedupe key that identifies a repeat. */
import { hash } from 'node:crypto';
import querystring from 'node:querystring';
import { isTooDeep } from '../../kernel/text/json-depth';
import { parseStrictJson } from '../../kernel/text/strict-json';
import { badRequest, malformedJson } from '../model/faults';
import { missingEventHeader, type Integration } from './integration';
import { textAt } from './payload';
import { shortenTopic } from './text';

export interface Posted {
  readonly stream?: string | undefined;
  readonly topic?: string | undefined;
  readonly body: string;
  readonly query: Readonly<Record<string, unknown>>;
  header(name: string): string;
}

/** Our own query parameters, which every integration's URL has. The key must not be stored. */
const ADDRESS_FIELDS = new Set(['api_key', 'stream', 'topic', 'branches']);
/** No service nests deeper, and code that walks a payload may recurse. */
const MAX_DEPTH = 64;
/** Without a delivery id, the same body counts as a repeat only within this window: later it may be intended. */
const SAME_BODY_WINDOW_MS = 60_000;
/** A label name. Encoding does not lengthen it, and two fit into the column of 190 characters. */
const CHOICE = /^[\w.-]{1,60}$/;
/** Repeats arrive soon, so early in a window the previous one is checked too. */
const LOOK_BACK_MS = 20_000;
/** Longer ids are replaced by their hash, because the column holds 190 characters. */
const MAX_ID_CHARACTERS = 120;

/** Parses JSON whatever the content type says, and forms or queries if the service sends those. */
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
  if (isTooDeep(text, MAX_DEPTH)) throw badRequest(`JSON is nested more than ${MAX_DEPTH} levels deep`);
  try {
    return parseStrictJson(text);
  } catch {
    return undefined;
  }
}

const withoutAddress = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !ADDRESS_FIELDS.has(name)));

/** The choices in the URL, in query syntax. Invalid label names are ignored. */
export function chosen(choices: readonly string[], query: Readonly<Record<string, unknown>>): string {
  const fields = choices.flatMap((name): [string, string][] => {
    const value = query[name];
    return typeof value === 'string' && CHOICE.test(value) ? [[name, value]] : [];
  });
  return new URLSearchParams(fields).toString();
}

/** The event type: from the service's header or field, or from the choices in the URL. */
export function eventOf(
  { eventHeader, eventField, isEventOptional = false, choices = [] }: Integration,
  posted: Pick<Posted, 'query' | 'header'>,
  payload: unknown,
): string {
  if (eventHeader === undefined) return chosen(choices, posted.query);
  const event = posted.header(eventHeader) || (eventField === undefined ? '' : textAt(payload, eventField));
  if (event === '' && !isEventOptional) throw missingEventHeader(eventHeader);
  return event.slice(0, 190);
}

/** The stream and topic in the URL, decoded if necessary, with the topic cut to its maximum length. */
export function placeOf(
  { decodesAddress = false }: Pick<Integration, 'decodesAddress'>,
  { stream, topic }: Pick<Posted, 'stream' | 'topic'>,
) {
  const read = (text: string | undefined) => (text === undefined || !decodesAddress ? text : decoded(text));
  const written = read(topic);
  return { stream: read(stream), topic: written === undefined ? undefined : shortenTopic(written) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A literal percent sign.
    return text;
  }
}

export interface DedupeKey {
  /** Two deliveries to one bot with the same key are one. With another stream, topic or option they are two. */
  readonly key: string;
  /** Early in a window: the key in the previous window. */
  readonly earlier?: string;
}

export function dedupeKeyOf(integration: Integration, posted: Posted, payload: unknown, now: number): DedupeKey {
  const { name, causeHeader, acceptsQuery = false } = integration;
  const own = ownId(integration, posted, payload);
  const place = `${posted.stream}\n${posted.topic}${optionsIn(integration, posted)}`;
  if (own !== '') return { key: `${name}:${own}@${hashOf(place).slice(0, 11)}` };
  const content = hashOf(`${place}\n${acceptsQuery ? JSON.stringify(payload) : posted.body}`);
  const cause = causeHeader === undefined ? '' : posted.header(causeHeader);
  if (cause !== '') return { key: `${name}:${shortId(cause)}:${content}` };
  const window = Math.floor(now / SAME_BODY_WINDOW_MS);
  const key = `${name}:${window}:${content}`;
  return now % SAME_BODY_WINDOW_MS < LOOK_BACK_MS ? { key, earlier: `${name}:${window - 1}:${content}` } : { key };
}

/** The options in the URL, which change what becomes of a delivery. Empty without any. */
function optionsIn({ choices = [] }: Integration, { query }: Posted): string {
  const { branches } = query;
  const wanted = typeof branches === 'string' ? `\nbranches=${branches}` : '';
  const others = chosen(choices, query);
  return others === '' ? wanted : `${wanted}\n${others}`;
}

function ownId({ deliveryHeader, deliveryId }: Integration, posted: Posted, payload: unknown): string {
  const header = deliveryHeader === undefined ? '' : posted.header(deliveryHeader);
  return shortId(header === '' ? (deliveryId?.(payload) ?? '') : header);
}

const shortId = (id: string): string => (id.length <= MAX_ID_CHARACTERS ? id : hashOf(id));
const hashOf = (text: string): string => hash('sha256', text, 'base64url');
