/**
 * What becomes of calls on an Asterisk whose AMI may be used: one JSON for each extension in AstDB, which the dial plan
 * of Partyline (config/asterisk) reads, and a mailbox. Everything here adds to the PJSIP objects of the extension.
 */
import {
  callSettings,
  mailboxText,
  MAX_SETTINGS_BYTES,
  settingsText,
  type CallSettings,
} from '../../model/extensions/call-settings';
import type { ExtensionData } from '../../model/extensions/extension';
import { dataFor } from '../../model/extensions/extension-draft';
import type { Space } from '../../model/sites/site';
import { AmiRefused, ifMissing, isMissing, type Ami } from './asterisk-ami';
import type { AsteriskApi } from './asterisk-api';
import { dialplanTrouble, troublesOf } from './asterisk-health';
import { asteriskMailboxes, type Mailbox } from './asterisk-mailboxes';
import { keepSpace } from '../pbx-arrangements/asterisk-space';
import { NotThere, type CallContext, type Held } from './driver';

const FAMILY = 'partyline';

/** What AstDB and voicemail have of a number, as a part of what the PBX holds. */
export interface HeldCalls {
  /** Undefined if there is nothing. */
  readonly shown?: { readonly call_settings: string; readonly voicemail_box: string };
  readonly operation?: string;
  readonly pin?: string;
}

/** A mailbox as text to compare, and its PIN. */
interface ShownBox {
  readonly text: string;
  readonly pin?: string;
}

export interface AsteriskCalls {
  /** For the lamp: mailboxes are in a context of Partyline. */
  withLamp(extension: Held): Held;
  /** What reads back once the extension is written. The PIN is its owner's, who may change it at the telephone. */
  shows(extension: Held): NonNullable<HeldCalls['shown']>;
  write(extension: Held, context: CallContext, step: () => CallContext): Promise<void>;
  remove(number: number, step: () => CallContext): Promise<void>;
  read(number: number, context: CallContext): Promise<HeldCalls>;
  /** All numbers that have any, and how to read one. */
  list(context: CallContext): Promise<ListedCalls>;
  /** Throws if the order cannot be carried out as it is. */
  ensureCarried(extension: Held, before: ExtensionData, context: CallContext): Promise<void>;
  /** What is missing, in words. */
  troubles(context: CallContext): Promise<string[]>;
}

export interface ListedCalls {
  readonly numbers: readonly number[];
  readonly read: (number: number, page: CallContext) => Promise<HeldCalls>;
}

/** Of a number without any. */
export const NO_CALLS = { call_settings: '', voicemail_box: 'none' } as const;
const NO_BOX: ShownBox = { text: NO_CALLS.voicemail_box };

export function asteriskCalls(api: AsteriskApi, ami: Ami, space: Space): AsteriskCalls {
  const { code } = space;
  const mailboxes = asteriskMailboxes(ami, code);
  const ext = `ext/${code}`;

  const boxOf = async (number: number, context: CallContext): Promise<ShownBox> => {
    const { box, isRepeated } = await mailboxes.read(number, context);
    if (!box) return NO_BOX;
    if (isRepeated) return { text: `${box.rest} (repeated)`, pin: box.pin };
    const isLoaded = await mailboxes.isLoaded(number, context);
    return { text: isLoaded ? box.rest : `${box.rest} (not loaded)`, pin: box.pin };
  };

  async function read(number: number, context: CallContext): Promise<HeldCalls> {
    const [stored, box] = await Promise.all([storedAt(number, context), boxOf(number, context)]);
    return heldOf(stored, box);
  }

  async function storedAt(number: number, context: CallContext): Promise<string | undefined> {
    try {
      const [, ...events] = await ami.ask('DBGet', { Family: FAMILY, Key: `${ext}/${number}` }, context);
      return events.find(({ Val: value }) => value !== undefined)?.['Val'];
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  return {
    withLamp: (extension) =>
      extension['mailbox'] === `${extension.number}@device`
        ? { ...extension, mailbox: `${extension.number}@partyline-${code}` }
        : extension,
    shows: (extension) => ({
      call_settings: settingsText(callSettings(extension)),
      voicemail_box: mailboxText(extension) ?? NO_BOX.text,
    }),
    async write(extension, context, step) {
      const { number, operation = '' } = extension;
      const value = settingsText({ ...callSettings(extension), op: operation });
      await keepSpace(ami, space, step);
      await ami.ask('DBPut', { Family: FAMILY, Key: `${ext}/${number}`, Val: value }, step());
      const { box, isRepeated } = await mailboxes.read(number, step());
      const wanted = wantedBox(extension, box, context);
      const isAlike = !isRepeated && wanted?.rest === box?.rest && wanted?.pin === box?.pin;
      const isThere = isAlike && (!wanted || (await mailboxes.isLoaded(number, step())));
      if (!isThere) await mailboxes.write(number, wanted, step);
    },
    async remove(number, step) {
      await ami.ask('DBDel', { Family: FAMILY, Key: `${ext}/${number}` }, step()).catch(ifMissing);
      await ami.ask('DBDelTree', { Family: FAMILY, Key: `state/${code}/${number}` }, step()).catch(ifMissing);
      const { box } = await mailboxes.read(number, step());
      if (!box) return;
      await mailboxes.removeMessages(number, step);
      await mailboxes.write(number, undefined, step);
    },
    read,
    async list(context) {
      const [[, ...events], boxes] = await Promise.all([
        ami.ask('DBGetTree', { Family: FAMILY, Key: ext }, context),
        mailboxes.list(context).catch(noMailboxes),
      ]);
      const stored = new Map(events.flatMap(({ Key: key = '', Val: value = '' }) => entryOf(key, value)));
      return {
        numbers: [...new Set([...stored.keys(), ...boxes])],
        read: async (number, page) =>
          heldOf(stored.get(number), boxes.has(number) ? await boxOf(number, page) : NO_BOX),
      };
    },
    async ensureCarried(extension, before, context) {
      const size = Buffer.byteLength(settingsText({ ...callSettings(extension), op: extension.operation ?? '' }));
      if (size > MAX_SETTINGS_BYTES) {
        throw new NotThere(`data: what becomes of calls takes ${size} bytes, and may take ${MAX_SETTINGS_BYTES}`);
      }
      const former = Object.keys(before).length > 0 ? before : dataFor({}, extension.number);
      if (settingsText(callSettings(extension)) === settingsText(callSettings(former))) return;
      const trouble = await dialplanTrouble(api, context);
      if (trouble !== undefined) throw new NotThere(`data: ${trouble}`);
    },
    troubles: (context) => troublesOf(api, ami, context),
  };
}

/** An order that does not change the PIN leaves the one that is there, which may have been changed at the telephone. */
function wantedBox(extension: Held, there: Mailbox | undefined, context: CallContext): Mailbox | undefined {
  const rest = mailboxText(extension);
  if (rest === undefined) return undefined;
  const { before, isRepair = false } = context;
  const isPinNew = before ? before['voicemail_vmpwd'] !== extension['voicemail_vmpwd'] : !isRepair;
  return { rest, pin: there && !isPinNew ? there.pin : String(extension['voicemail_vmpwd']) };
}

function entryOf(key: string, value: string): [number, string][] {
  const number = key.slice(key.lastIndexOf('/') + 1);
  return /^[1-9]\d{0,14}$/.test(number) ? [[Number(number), value]] : [];
}

function heldOf(stored: string | undefined, box: ShownBox): HeldCalls {
  const { text: voicemailBox, pin } = box;
  const withPin = pin === undefined ? {} : { pin };
  if (stored === undefined) {
    return box === NO_BOX ? {} : { shown: { call_settings: '', voicemail_box: voicemailBox }, ...withPin };
  }
  const { op, ...settings } = settingsIn(stored);
  return {
    shown: { call_settings: settingsText(settings), voicemail_box: voicemailBox },
    ...withPin,
    ...(typeof op === 'string' ? { operation: op } : {}),
  };
}

/** What cannot be read is different from everything. */
function settingsIn(stored: string): CallSettings {
  try {
    const read: unknown = JSON.parse(stored);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as CallSettings;
  } catch {
    // Written by hand, or cut.
  }
  return { unreadable: stored };
}

/** Without voicemail there are none. */
function noMailboxes(error: unknown): Set<number> {
  if (error instanceof AmiRefused) return new Set();
  throw error;
}
