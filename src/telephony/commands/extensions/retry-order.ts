/** Orders again what failed last for an extension: the same change or deletion. Otherwise pushes what is stored. */
import type { Ordering } from '../../parts';
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import type { ExtensionChange } from '../../model/extensions/operation';
import { noExtension } from '../../model/faults';
import { listStandings } from '../../queries/portal/lists';
import { getInstance } from '../../queries/sites/sites';
import { lastChange } from '../../store/extensions/operation-queries';
import * as extensions from '../../store/extensions/extensions';
import { changeExtension, removeExtension } from './order-extensions';
import type { OrderOptions, Placed } from './place-order';

export interface Retry {
  readonly uuid: string;
  readonly id: string;
  /** The caller accepts that the messages of the mailbox are deleted. */
  readonly mayDiscard: boolean;
  readonly options: OrderOptions;
}

export async function retryOrder(context: Ordering, by: Caller, retry: Retry): Promise<Placed> {
  const { uuid, id, mayDiscard, options } = retry;
  const instance = await getInstance(context.mysql, by, uuid);
  const extension = await extensions.byId(context.mysql, instance.uuid, id);
  ensure(extension !== undefined && extension.isVisible, noExtension());
  const { number, data } = extension;
  const [standing] = await listStandings(context.mysql, by, { uuid, numbers: [number] });
  if (standing?.order === 'delete') return removeExtension(context, by, { uuid, id, options });
  const wanted = standing?.order === 'update' ? await wantedChange(context, instance.uuid, number) : undefined;
  const { mode, body } = wanted ?? { mode: 'merge' as const, body: { data: { name: String(data['name']) } } };
  const confirmed = { ...body, ...(mayDiscard && { discard_voicemail: true }) };
  return changeExtension(context, by, { uuid, id, mode, body: confirmed, options });
}

/** Undefined if it was not kept: a previous release has ended it. */
async function wantedChange(
  { mysql, secrets }: Storage,
  instance: string,
  number: number,
): Promise<Pick<ExtensionChange, 'mode' | 'body'> | undefined> {
  const payload = await lastChange(mysql, instance, number);
  return payload === undefined ? undefined : (JSON.parse(secrets.decrypt(payload)) as ExtensionChange);
}
