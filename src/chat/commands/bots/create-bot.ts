/** Creates a bot, owned by its creator. */
import { ensure, Fault } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import type { FileDraft } from '../../../kernel/files/stored-file';
import { botDomainOf } from '../../model/organisation/address';
import type { RealmSettings } from '../../model/organisation/realm-settings';
import { checkEndpointUrl, checkInterface, endpointName, type Endpoint } from '../../model/bots/outgoing-webhook';
import { isEmail, KEY_LENGTH, OUTGOING_WEBHOOK, type BotType, type User } from '../../model/users/user';
import {
  adminsOnly,
  badNameOrUsername,
  botTypeInvalid,
  botTypeUnsupported,
  nameInUse,
  usernameTaken,
} from '../../model/users/user-faults';
import { checkBotName, checkFullName, ensureMember } from '../../model/users/user-policy';
import type { Chat, Enrolling } from '../../parts';
import * as bots from '../../store/bots/bots';
import * as realms from '../../store/organisation/realms';
import { makeAvatar } from '../uploads/change-pictures';
import { createUser, type Created } from '../users/create-user';
import { findBotStreams, type BotStreams } from './update-bot';

type Parts = Enrolling & Pick<Chat, 'outgoingBots' | 'pictures' | 'realms'>;

export interface BotDraft extends BotStreams {
  readonly fullName: string;
  readonly shortName: string;
  readonly type: number;
  readonly picture?: FileDraft | undefined;
  /** For outgoing webhook bots only. */
  readonly endpoint: { readonly name: string | undefined; readonly url: string; readonly interface: number };
}

export async function createBot(chat: Parts, by: User, draft: BotDraft): Promise<Created> {
  ensureMember(by);
  const type = checkType(draft.type);
  const realm = (await realms.byId(chat.mysql, by.realmId))!;
  ensureMayMake(by, type, realm.settings);
  const fullName = checkFullName(draft.fullName);
  const shortName = `${checkBotName(draft.shortName)}-bot`;
  const email = `${shortName}@${botDomainOf(await chat.realms.publicUrl(by.realmId))}`;
  ensure(isEmail(email), badNameOrUsername());
  ensure(!(await bots.isNameInUse(chat.mysql, by.realmId, fullName)), nameInUse());
  const defaults = await findBotStreams(chat.mysql, by, draft);
  const endpoint = type === OUTGOING_WEBHOOK ? endpointOf(draft) : undefined;
  const bot = { type, ownerId: by.id, ...defaults, endpoint };
  const avatar = draft.picture && { avatar: await makeAvatar(chat.pictures, by, draft.picture) };
  const names = { email, fullName, shortName };
  const making = createUser(chat, { realmId: by.realmId, ...names, role: 'member', bot, ...avatar });
  const made = await making.catch((error: unknown) => {
    throw error instanceof Fault && error.kind === 'conflict' ? usernameTaken() : error;
  });
  // Its first message may arrive at once.
  if (endpoint) chat.outgoingBots.delete(by.realmId);
  return made;
}

function endpointOf({ endpoint, shortName }: BotDraft): Endpoint {
  return {
    name: endpointName(endpoint.name || shortName),
    interface: checkInterface(endpoint.interface),
    url: checkEndpointUrl(endpoint.url, 'payload_url'),
    token: newSecret(KEY_LENGTH),
  };
}

function checkType(type: number): BotType {
  if (type === 1 || type === 2 || type === 3) return type;
  throw type === 4 ? botTypeUnsupported() : botTypeInvalid();
}

/** 1 everyone, 2 only administrators create generic bots, 3 administrators only. */
function ensureMayMake(by: User, type: BotType, { bot_creation_policy: policy }: RealmSettings): void {
  const isOpen = policy === 1 || (policy === 2 && type !== 1);
  ensure(isOpen || by.role === 'admin', adminsOnly());
}
