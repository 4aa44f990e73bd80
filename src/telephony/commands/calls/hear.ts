/** Recordings of calls, and messages of mailboxes: heard and deleted by those who may, which the audit trail keeps. */
import { ensure, Fault } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { OpenSound } from '../../actors/pbx-calls/asterisk-sounds';
import type { AsteriskMessages } from '../../actors/pbx-calls/asterisk-messages';
import { PbxError, type CallContext } from '../../actors/pbx-instance/driver';
import { untilDeadline } from '../../actors/pbx-instance/pbx-http';
import { noMailboxes, noMessage, noRecording, unheardMessage } from '../../model/calls/call-faults';
import type { Caller } from '../../model/contacts/contact';
import { maySeeCredentials } from '../../model/extensions/extension-wire';
import { noExtension, notOwner, notYours } from '../../model/faults';
import type { Wire } from '../../../kernel/text/wire';
import type { voicemailMessages } from '../../model/answers/calls';
import type { Telephony } from '../../parts';
import { findCall } from '../../queries/calls/calls';
import { getInstance } from '../../queries/sites/sites';
import * as audit from '../../store/companies/audit';
import * as calls from '../../store/calls/calls';
import * as extensions from '../../store/extensions/extensions';

type Parts = Storage & Pick<Telephony, 'drivers'> & { readonly settings: { readonly pbxCallMs: number } };

interface CallPlace {
  readonly uuid: string;
  readonly id: string;
}

interface BoxPlace {
  readonly uuid: string;
  readonly extensionId: string;
}

interface MessagePlace extends BoxPlace {
  readonly messageId: string;
}

/** A player asks for a sound in many parts. */
const SAME_HEARING_MS = 3_600_000;

const deadlineOf = ({ settings }: Parts): CallContext => ({ key: 'calls', deadlineMs: settings.pbxCallMs });

const asFault = (error: unknown): never => {
  if (!(error instanceof PbxError)) throw error;
  throw new Fault('upstream', error.message, { cause: error });
};

const noteHearing = (kernel: Storage, by: Caller, heard: audit.AuditRecord): Promise<void> =>
  kernel.transaction(async ({ db }) => {
    if (!(await audit.hasDone(db, by, heard, SAME_HEARING_MS))) await audit.record(db, by, heard);
  });

/** The caller reads or discards it. */
export async function hearRecording(parts: Parts, by: Caller, place: CallPlace): Promise<OpenSound> {
  const { instance, call } = await findCall(parts.mysql, by, place);
  const side = parts.drivers.callsOf(instance);
  if (call.recording === null || !side) throw noRecording();
  const sound = await side.sounds.open(call.recording, deadlineOf(parts)).catch(asFault);
  if (!sound) throw noRecording();
  await noteHearing(parts, by, { action: 'recording.hear', object: call.id }).catch((error: unknown) => {
    sound.discard();
    throw error;
  });
  return sound;
}

export async function deleteRecording(parts: Parts, by: Caller, place: CallPlace): Promise<void> {
  ensure(by.isOwner, notOwner());
  const { instance, call } = await findCall(parts.mysql, by, place);
  const side = parts.drivers.callsOf(instance);
  if (call.recording === null || !side) throw noRecording();
  await side.sounds.remove(call.recording, deadlineOf(parts)).catch(asFault);
  await parts.transaction(async ({ db }) => {
    await calls.forgetRecording(db, [call.id]);
    await audit.record(db, by, { action: 'recording.delete', object: call.id });
  });
}

/** The mailbox of an extension whose messages the caller may hear: the owner, and the extension's user. */
async function mailboxOf(parts: Parts, by: Caller, { uuid, extensionId }: BoxPlace) {
  const instance = await getInstance(parts.mysql, by, uuid);
  const found = await extensions.byId(parts.mysql, instance.uuid, extensionId);
  if (!found?.isVisible) throw noExtension();
  ensure(maySeeCredentials(by, found), notYours('mailbox'));
  const messages: AsteriskMessages | undefined = parts.drivers.callsOf(instance)?.messages;
  if (!messages) throw noMailboxes();
  return { messages, number: found.number };
}

export async function listMessages(parts: Parts, by: Caller, place: BoxPlace): Promise<Wire<typeof voicemailMessages>> {
  const { messages, number } = await mailboxOf(parts, by, place);
  const found = await messages.list(number, deadlineOf(parts)).catch(asFault);
  return found.map(({ id, folder, from, fromName, at, seconds }) => ({
    id,
    folder,
    is_new: folder === 'INBOX' || folder === 'Urgent',
    from,
    from_name: fromName,
    at: at?.toISOString() ?? null,
    seconds,
  }));
}

export async function hearMessage(parts: Parts, by: Caller, { messageId, ...place }: MessagePlace): Promise<OpenSound> {
  const { messages, number } = await mailboxOf(parts, by, place);
  const step = untilDeadline(deadlineOf(parts));
  const sound = await messages.open(number, messageId, step).catch(asFault);
  if (!sound) {
    const isThere = (await messages.list(number, step()).catch(asFault)).some(({ id }) => id === messageId);
    throw isThere ? unheardMessage() : noMessage();
  }
  const heard = { action: 'message.hear', object: messageId, detail: { number } };
  await noteHearing(parts, by, heard).catch((error: unknown) => {
    sound.discard();
    throw error;
  });
  return sound;
}

export async function deleteMessage(parts: Parts, by: Caller, { messageId, ...place }: MessagePlace): Promise<void> {
  const { messages, number } = await mailboxOf(parts, by, place);
  const wasThere = await messages.remove(number, messageId, untilDeadline(deadlineOf(parts))).catch(asFault);
  ensure(wasThere, noMessage());
  const removed = { action: 'message.delete', object: messageId, detail: { number } };
  await parts.transaction(({ db }) => audit.record(db, by, removed));
}
