/** What an integration is: a pure function from a service's payload to messages, and the facts of the service. */
import { Fault } from '../../kernel/fault';

/** What came in, apart from who sent it. */
export interface Delivered {
  /** Parsed JSON, or the fields of a form. */
  readonly payload: unknown;
  /** The kind of event, as the service's own header names it; else what the address chose; empty without both. */
  readonly event: string;
  /** Which branches are wanted, as the address lists them; all where it does not. */
  readonly branches?: string | undefined;
  /** The address names a topic: what the integration's own topic would have said must be in the message. */
  readonly isTopicGiven?: boolean | undefined;
}

export interface Notice {
  readonly topic: string;
  readonly content: string;
}

/** Several where a delivery tells of several things, each with a topic of its own; none or null is of no interest. */
export type Formatted = Notice | readonly Notice[] | null;

/** A small delivery must not become a flood of messages. */
const MOST_NOTICES = 20;

export function noticesOf(formatted: Formatted): readonly Notice[] {
  if (formatted === null) return [];
  if ('topic' in formatted) return [formatted];
  const more = formatted.length - MOST_NOTICES;
  if (more <= 0) return formatted;
  return [...formatted.slice(0, MOST_NOTICES), { topic: formatted[0]!.topic, content: `[and ${more} more]` }];
}

export interface Integration {
  readonly name: string;
  /** Name of the client on its messages: Zulip<Name>Webhook. */
  readonly client: string;
  /** The header that names the kind of event, where the service sends one. */
  readonly eventHeader?: string;
  /** The field of the payload that names it too; only without both is the header missing. */
  readonly eventField?: string;
  /** Fields of the address that change the message; a service with these has no event header. */
  readonly choices?: readonly string[];
  /** The header that holds the service's own id of a delivery: the same when it is repeated, and then only. */
  readonly deliveryHeader?: string;
  /** A header that deliveries of one cause share: together with the body it tells a repeat. */
  readonly causeHeader?: string;
  /** The same id where it is in the payload; empty where there is none. Never throws. */
  readonly deliveryId?: (payload: unknown) => string;
  /** True where the service sends forms. */
  readonly acceptsForms?: boolean;
  /** True where the service may write everything into the address. */
  readonly acceptsQuery?: boolean;
  /** True where the service encodes stream and topic of its address once more than it should. */
  readonly decodesAddress?: boolean;
  /** The `type`, in the address or in the payload, that asks only whose key this is: how a service checks what its user typed. */
  readonly asksWhose?: string;
  /** The messages for a payload. Throws a Fault that names what is wrong. */
  format(delivered: Delivered): Formatted;
}

export const missingKey = (key: string) =>
  new Fault('invalid', `Missing '${key}' in the payload`, { code: 'BAD_REQUEST', fields: { key } });

/** Enough of a name to find it by: a payload may hold anything there. */
const MOST_NAME_CHARACTERS = 100;

export const unknownEvent = (name: string, event: string) => {
  const type = event.slice(0, MOST_NAME_CHARACTERS);
  return new Fault('invalid', `The '${type}' event isn't currently supported by the ${name} webhook`, {
    code: 'UNEXPECTED_WEBHOOK_EVENT_TYPE',
    fields: { webhook_name: name, event_type: type },
  });
};

export const missingEventHeader = (header: string) => {
  const written = header.toUpperCase().replaceAll('-', '_');
  return new Fault('invalid', `Missing the HTTP event header '${written}'`, {
    code: 'MISSING_HTTP_EVENT_HEADER',
    fields: { header: written },
  });
};
