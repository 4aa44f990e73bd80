/** An entry of the log as a node holds it: its head read once, its bodies made when first wanted and then shared. */
import { asciiJson } from '../../../kernel/ascii-json';
import { audienceTest, type Hearer } from '../../model/audience';
import { readEntry, type EntryHead } from '../../model/event';
import { messageFor, type Reader } from '../../model/message-event';
import { matchEntry, type QueueFilters } from '../../model/queue';

export class Entry {
  readonly number: number;
  readonly head: EntryHead;
  readonly bytes: number;
  readonly at: number;
  readonly payload: string;
  readonly isAboutBot: boolean;
  readonly #isHearer: (user: Hearer) => boolean;
  /** Of each variant, from behind the id: without its end, and whole where it has no flags. */
  readonly #bodies: (string | undefined)[] = [];
  readonly #plain: (string | undefined)[] = [];

  constructor(number: number, body: string, at: number) {
    const { head, payload } = readEntry(body);
    this.number = number;
    this.head = head;
    this.isAboutBot = head.type === 'realm_bot';
    this.bytes = body.length;
    this.at = at;
    this.payload = asciiJson(payload);
    this.#isHearer = audienceTest(head.to);
  }

  /** The event as this queue is sent it, in ASCII, under the id it has there; null where it is not for this queue. */
  render(
    queue: { readonly id: string; readonly base: number; readonly filters: QueueFilters },
    user: Hearer,
  ): string | null {
    const flags = matchEntry(this.head, queue.filters, this.#isHearer(user), user);
    if (flags === null) return null;
    const id = this.number - queue.base - 1;
    const { message } = this.head;
    const isOwn = message?.local?.queueId === queue.id;
    if (!message || (flags.length === 0 && !isOwn)) return `{"id":${id},${this.#plainBody(queue.filters)}`;
    const local = isOwn ? `,"local_message_id":${asciiJson(JSON.stringify(message.local!.localId))}` : '';
    return `{"id":${id},${this.#body(queue.filters)},"flags":${JSON.stringify(flags)}${local}}`;
  }

  matches(queue: { readonly filters: QueueFilters }, user: Hearer): boolean {
    return matchEntry(this.head, queue.filters, this.#isHearer(user), user) !== null;
  }

  #body(reader: Reader): string {
    return (this.#bodies[variantOf(reader)] ??= messageFor(this.payload, reader).slice(1));
  }

  /** As nearly everyone is sent it: all of it but the id is copied. */
  #plainBody(reader: Reader): string {
    const variant = this.head.message ? variantOf(reader) : 0;
    return (this.#plain[variant] ??= this.head.message ? `${this.#body(reader)},"flags":[]}` : this.payload.slice(1));
  }
}

const variantOf = (reader: Reader): number => (reader.wantsHtml ? 1 : 0) + (reader.computesAvatars ? 2 : 0);
