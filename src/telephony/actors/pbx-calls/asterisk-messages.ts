/**
 * The messages of mailboxes. Asterisk numbers the files of a folder anew when a message is removed, and tells messages
 * apart by ids; so a file counts only if the list is the same before and after it was opened.
 */
import type { Ami } from '../pbx-instance/asterisk-ami';
import type { CallContext } from '../pbx-instance/driver';
import type { AsteriskSounds, OpenSound } from './asterisk-sounds';

export interface Message {
  readonly id: string;
  /** INBOX holds what is new, Old what was heard at the telephone. */
  readonly folder: string;
  readonly from: string;
  readonly fromName: string;
  readonly at: Date | null;
  readonly seconds: number;
}

export interface AsteriskMessages {
  list(number: number, context: CallContext): Promise<Message[]>;
  /** Undefined if it is gone, or the folder is not linked. */
  open(number: number, id: string, step: () => CallContext): Promise<OpenSound | undefined>;
  /** Whether there was one. */
  remove(number: number, id: string, step: () => CallContext): Promise<boolean>;
}

const FOLDER = /^\w{1,20}$/;
const ID = /^[\w.-]{1,60}$/;
const TRIES = 3;

export function asteriskMessages(ami: Ami, sounds: AsteriskSounds, space: string): AsteriskMessages {
  const box = (number: number) => ({ Context: `partyline-${space}`, Mailbox: String(number) });

  async function list(number: number, context: CallContext): Promise<Message[]> {
    const [, ...events] = await ami.ask('VoicemailBoxSummary', box(number), context);
    return events.flatMap((event) => {
      const { Folder: folder = '', ID: id = '', CallerID: caller = '', Date: date = '', Duration: seconds } = event;
      if (!FOLDER.test(folder) || !ID.test(id)) return [];
      const [, name = '', from = caller] = /^"?([^"<]*?)"?\s*<([^>]*)>$/.exec(caller) ?? [];
      return [
        {
          id,
          folder,
          from: from.replaceAll(/[^0-9+*#]/g, '').slice(0, 40),
          fromName: name.slice(0, 80),
          at: momentIn(id, date),
          seconds: Math.max(0, Math.trunc(Number(seconds)) || 0),
        },
      ];
    });
  }

  return {
    list,
    async open(number, id, step) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const before = await list(number, step());
        const message = before.find((each) => each.id === id);
        if (!message) return undefined;
        const inFolder = before.filter(({ folder }) => folder === message.folder);
        const file = `msg${String(inFolder.indexOf(message)).padStart(4, '0')}`;
        const sound = await sounds.open(`voicemail/partyline-${space}/${number}/${message.folder}/${file}`, step());
        const after = await list(number, step());
        const isSame = JSON.stringify(after.map((each) => each.id)) === JSON.stringify(before.map((each) => each.id));
        if (isSame) return sound;
        sound?.discard();
      }
      return undefined;
    },
    async remove(number, id, step) {
      const message = (await list(number, step())).find((each) => each.id === id);
      if (!message) return false;
      await ami.ask('VoicemailRemove', { ...box(number), Folder: message.folder, ID: id }, step());
      return true;
    },
  };
}

/** Its id begins with when it was left; the date is written in the PBX's own time zone and language. */
function momentIn(id: string, date: string): Date | null {
  const [, seconds] = /^(\d{9,11})-/.exec(id) ?? [];
  const at = seconds === undefined ? new Date(date) : new Date(Number(seconds) * 1000);
  return Number.isNaN(at.getTime()) ? null : at;
}
