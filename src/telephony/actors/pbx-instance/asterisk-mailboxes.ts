/**
 * Mailboxes on Asterisk: a file for each, because Asterisk rewrites a file in place and unlocked. It is written whole from
 * an empty one, in one request, so that a repetition changes nothing. Whoever changes their PIN at the telephone makes
 * Asterisk append all mailboxes to their files once more, as it does not empty files that a pattern includes.
 */
import { AmiRefused, type Ami, type AmiBlock } from './asterisk-ami';
import { PbxError, type CallContext } from './driver';

const MODULE = 'app_voicemail.so';
const EMPTY = 'partyline/vm-empty.conf';
/** Asterisk says either of a file that is not there, as the user's rights are. */
const NO_FILE = /^(Config file not found|File requires escalated privileges)$/;

/** The line of a mailbox: its PIN, and what follows that. */
export interface Mailbox {
  readonly pin: string;
  readonly rest: string;
}

export interface MailboxFile {
  readonly hasFile: boolean;
  readonly box?: Mailbox;
  /** It is there more than once: when Asterisk loads it again, the oldest counts, with a former PIN. */
  readonly isRepeated?: boolean;
}

export interface Mailboxes {
  /** As the file has it, `hasFile` also without a mailbox. */
  read(number: number, context: CallContext): Promise<MailboxFile>;
  /** Whether calls reach it: Asterisk has loaded it. */
  isLoaded(number: number, context: CallContext): Promise<boolean>;
  /** Writes it, or without one removes it, and waits until Asterisk has noticed. */
  write(number: number, box: Mailbox | undefined, step: () => CallContext): Promise<void>;
  /** The next owner of the number must not hear them. */
  removeMessages(number: number, step: () => CallContext): Promise<void>;
  /** The numbers of all that are loaded. */
  list(context: CallContext): Promise<Set<number>>;
}

export function asteriskMailboxes(ami: Ami, space: string): Mailboxes {
  const context = `partyline-${space}`;
  const fileOf = (number: number): string => `partyline/vm-${space}-${number}.conf`;

  async function read(number: number, call: CallContext): Promise<MailboxFile> {
    let answer: readonly AmiBlock[];
    try {
      answer = await ami.ask('GetConfig', { Filename: fileOf(number) }, call);
    } catch (error) {
      if (error instanceof AmiRefused && NO_FILE.test(error.said)) return { hasFile: false };
      throw error;
    }
    const prefix = `${number}=`;
    const lines = Object.entries(answer[0] ?? {}).flatMap(([name, value]) =>
      name.startsWith('Line-') && value.startsWith(prefix) ? [value.slice(prefix.length)] : [],
    );
    // What was appended last begins in the middle, and its first line has what was changed.
    const line = lines[Math.floor(lines.length / 2)];
    if (line === undefined) return { hasFile: true };
    const [pin = '', ...rest] = line.split(',');
    return { hasFile: true, box: { pin, rest: rest.join(',') }, isRepeated: lines.length > 1 };
  }

  async function isLoaded(number: number, call: CallContext): Promise<boolean> {
    const [, ...events] = await ami.ask('VoicemailUserStatus', { Context: context, Mailbox: String(number) }, call);
    return events.some(({ VoiceMailbox: found }) => found === String(number));
  }

  return {
    read,
    isLoaded,
    async write(number, box, step) {
      const { hasFile } = await read(number, step());
      if (!hasFile && box === undefined) return;
      if (!hasFile) await ami.ask('CreateConfig', { Filename: fileOf(number) }, step()).catch(ifThere);
      await ami.ask('UpdateConfig', updateOf(fileOf(number), context, box && { number, box }), step());
      const isWanted = box !== undefined;
      if ((await isLoaded(number, step())) === isWanted) return;
      // Two reloads at the same time overlap, and one of them sees only half.
      await ami.ask('Reload', { Module: MODULE }, step());
      if ((await isLoaded(number, step())) === isWanted) return;
      throw new PbxError('cut', 'The PBX has written the mailbox, but voicemail does not load it');
    },
    async removeMessages(number, step) {
      const box = { Context: context, Mailbox: String(number) };
      const [, ...events] = await ami.ask('VoicemailBoxSummary', box, step());
      for (const { Folder: folder, ID: id } of events) {
        if (folder && id) await ami.ask('VoicemailRemove', { ...box, Folder: folder, ID: id }, step());
      }
    },
    async list(call) {
      const [, ...events] = await ami.ask('VoicemailUsersList', {}, call);
      const own = events.filter(({ VMContext: found }) => found === context);
      return new Set(own.map(({ VoiceMailbox: number }) => Number(number)));
    },
  };
}

/** A file that an interrupted order has made is as good. */
function ifThere(error: unknown): void {
  if (!(error instanceof AmiRefused) || !/exists/i.test(error.said)) throw error;
}

interface Line {
  readonly number: number;
  readonly box: Mailbox;
}

function updateOf(file: string, context: string, line: Line | undefined): AmiBlock {
  const whole = { SrcFilename: EMPTY, DstFilename: file, Reload: MODULE };
  if (!line) return whole;
  return {
    ...whole,
    'Action-000000': 'NewCat',
    'Cat-000000': context,
    'Action-000001': 'Append',
    'Cat-000001': context,
    'Var-000001': String(line.number),
    // The first character makes `=>` of the `=`.
    'Value-000001': `>${line.box.pin},${line.box.rest}`,
  };
}
