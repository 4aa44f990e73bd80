/** An integration: a pure function from a service's payload to messages, and the service's properties. */
import { coded } from '../model/faults';

/** A delivery without its sender. */
export interface Delivered {
  /** Parsed JSON, or form fields. */
  readonly payload: unknown;
  /** The event type from the service's header, or else the choices in the URL; empty without both. */
  readonly event: string;
  /** The wanted branches as listed in the URL; undefined for all. */
  readonly branches?: string | undefined;
  /** The URL sets the topic, so the message must contain what the integration's own topic would say. */
  readonly isTopicGiven?: boolean | undefined;
}

export interface Notice {
  readonly topic: string;
  readonly content: string;
}

/** Several notices if a delivery reports several things, each with its own topic. None or null is ignored. */
export type Formatted = Notice | readonly Notice[] | null;

/** A small delivery must not become a flood of messages. */
const MAX_NOTICES = 20;

export function noticesOf(formatted: Formatted): readonly Notice[] {
  if (formatted === null) return [];
  if ('topic' in formatted) return [formatted];
  const more = formatted.length - MAX_NOTICES;
  if (more <= 0) return formatted;
  return [...formatted.slice(0, MAX_NOTICES), { topic: formatted[0]!.topic, content: `[and ${more} more]` }];
}

export interface Integration {
  readonly name: string;
  /** The client name of its messages: Zulip<Name>Webhook. */
  readonly client: string;
  /** The header with the event type, if the service sends one. */
  readonly eventHeader?: string;
  /** The payload field with the event type, used if the header is missing. */
  readonly eventField?: string;
  /** Whether deliveries without an event type are known too. */
  readonly isEventOptional?: boolean;
  /** Query parameters that change the message. A service with these has no event header. */
  readonly choices?: readonly string[];
  /** The header with the service's own delivery id, which is the same only for a repeated delivery. */
  readonly deliveryHeader?: string;
  /** A header that deliveries of one cause share. Together with the body, it identifies a repeat. */
  readonly causeHeader?: string;
  /** The delivery id from the payload; empty if there is none. Never throws. */
  readonly deliveryId?: (payload: unknown) => string;
  /** Whether the service sends forms. */
  readonly acceptsForms?: boolean;
  /** Whether the service may send everything in the query. */
  readonly acceptsQuery?: boolean;
  /** Whether the service encodes the stream and topic in its URL once too often. */
  readonly decodesAddress?: boolean;
  /** The `type`, in the query or payload, that only asks for the key's owner. Services use it to verify a key. */
  readonly keyCheckType?: string;
  /** Formats the messages for a payload. Throws a Fault that says what is wrong. */
  format(delivered: Delivered): Formatted;
}

export const missingKey = (key: string) => coded('invalid', 'BAD_REQUEST', `Missing '${key}' in the payload`, { key });

/** Enough of the name to recognise it: the payload may contain anything. */
const MAX_NAME_CHARACTERS = 100;

export const unknownEvent = (name: string, event: string) => {
  const type = event.slice(0, MAX_NAME_CHARACTERS);
  const message = `The '${type}' event isn't currently supported by the ${name} webhook`;
  return coded('invalid', 'UNEXPECTED_WEBHOOK_EVENT_TYPE', message, { webhook_name: name, event_type: type });
};

export const missingEventHeader = (header: string) => {
  const written = header.toUpperCase().replaceAll('-', '_');
  const message = `Missing the HTTP event header '${written}'`;
  return coded('invalid', 'MISSING_HTTP_EVENT_HEADER', message, { header: written });
};
