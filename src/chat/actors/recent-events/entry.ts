/** A log entry in memory. It is parsed when first needed. Response bodies are built once and shared by all queues. */
import type { FollowedEvent } from '../../../kernel/event-log/follower';
import { positionOf } from '../../../kernel/event-log/position';
import { asciiJson } from '../../../kernel/text/ascii-json';
import { inAudience, type AudienceMember } from '../../model/events/audience';
import { readEntry, typeOf, type EntryHead, type MessageHead } from '../../model/events/event';
import { matchEntry, type QueueFilters } from '../../model/events/queue';
import { profileOf } from '../../model/profiles/profiles';
import { messageFor, withWidget, type Reader } from '../../model/messages/message-event';

/** The parsed entry. */
interface Read {
  readonly head: EntryHead;
  readonly payload: string;
  readonly isInAudience: (user: AudienceMember) => boolean;
}

/** An event beside the log is worth nothing to a client that returns later. */
const FRESH_MS = 15_000;

export class Entry {
  readonly number: number;
  /** Where it stands in the log (see position.ts). */
  readonly position: number;
  readonly type: string;
  readonly bytes: number;
  readonly at: number;
  #text: string;
  #read: Read | undefined;
  /** Bodies by variant, without the leading id: `#bodies` lack the end, `#plain` are complete, with empty flags. */
  readonly #bodies: (string | undefined)[] = [];
  readonly #plain: (string | undefined)[] = [];

  constructor(event: FollowedEvent, at: number) {
    const { number, body } = event;
    this.number = number;
    this.position = positionOf(number, 'index' in event ? event.index : 0);
    this.type = typeOf(body);
    this.bytes = body.length;
    this.at = at;
    this.#text = body;
  }

  get head(): EntryHead {
    return this.#inside.head;
  }

  get payload(): string {
    return this.#inside.payload;
  }

  get isEphemeral(): boolean {
    return this.position !== positionOf(this.number);
  }

  get isAboutBot(): boolean {
    return this.type === 'realm_bot';
  }

  get #inside(): Read {
    if (this.#read) return this.#read;
    const { head, payload: written } = readEntry(this.#text);
    const payload = head.message ? withWidget(written, head.message) : written;
    this.#text = '';
    this.#read = { head, payload: asciiJson(payload), isInAudience: inAudience(head) };
    return this.#read;
  }

  /**
   * Renders the event for this queue as ASCII JSON, with the queue's own event id, in the frame of a stream or without;
   * null if it is for others.
   */
  render(
    queue: { readonly id: string; readonly base: number; readonly filters: QueueFilters },
    user: AudienceMember,
    inFrame = false,
  ): string | null {
    if (this.isEphemeral && Date.now() - this.at > FRESH_MS) return null;
    const { head, isInAudience } = this.#inside;
    const flags = matchEntry(head, queue.filters, isInAudience(user), user);
    if (flags === null) return null;
    const id = this.position - queue.base - 1;
    const { message } = head;
    const isOwn = message?.local?.queueId === queue.id;
    const rest =
      !message || (flags.length === 0 && !isOwn)
        ? this.#plainBody(queue.filters)
        : `${this.#body(queue.filters)},"flags":${JSON.stringify(flags)}${isOwn ? localId(message) : ''}}`;
    return inFrame ? `id: ${id}\ndata: {"id":${id},${rest}\n\n` : `{"id":${id},${rest}`;
  }

  matches(queue: { readonly filters: QueueFilters }, user: AudienceMember): boolean {
    const { head, isInAudience } = this.#inside;
    return matchEntry(head, queue.filters, isInAudience(user), user) !== null;
  }

  #body(reader: Reader): string {
    return (this.#bodies[variantOf(reader)] ??= messageFor(this.payload, this.head.message!, reader).slice(1));
  }

  /** The common case, without flags: only the id differs between queues. */
  #plainBody(reader: Reader): string {
    const variant = this.head.message ? variantOf(reader) : eventVariantOf(reader, this.head);
    return (this.#plain[variant] ??= this.#makePlain(reader));
  }

  #makePlain(reader: Reader): string {
    const { head, payload } = this.#inside;
    if (head.message) return `${this.#body(reader)},"flags":[]}`;
    if (isOfEach(reader, head)) return asciiJson(JSON.stringify(head.eachEmoji)).slice(1);
    return profileOf(reader.profile).event(payload, head).slice(1);
  }
}

const localId = ({ local }: MessageHead): string => `,"local_message_id":${asciiJson(JSON.stringify(local!.localId))}`;

/** An event of a queue as a frame of a stream. */
export function frameOf(event: string): string {
  const id = event.slice('{"id":'.length, event.indexOf(','));
  return `id: ${id}\ndata: ${event}\n\n`;
}

const generationOf = (reader: Reader): number => (reader.profile === 'zulip-today' ? 4 : 0);

const isOfEach = (reader: Reader, { eachEmoji }: EntryHead): boolean =>
  eachEmoji !== undefined && reader.hearsEachEmoji === true;

const EACH = 8;
const eventVariantOf = (reader: Reader, head: EntryHead): number =>
  isOfEach(reader, head) ? EACH : generationOf(reader);

const variantOf = (reader: Reader): number =>
  (reader.wantsHtml ? 1 : 0) + (reader.computesAvatars ? 2 : 0) + generationOf(reader);
