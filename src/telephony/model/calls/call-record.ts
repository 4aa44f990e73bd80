/** A call that has ended, as the dial plan writes it down (partyline-done of config/asterisk/extensions.conf). */

export const DIRECTIONS = ['internal', 'inbound', 'outbound', 'emergency'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const OUTCOMES = ['answered', 'voicemail', 'busy', 'unanswered', 'cancelled', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface CallRecord {
  /** The PBX's name of the call. */
  readonly callId: string;
  /** That of the call which it came from by a transfer; otherwise its own. */
  readonly linkedId: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly direction: Direction;
  readonly from: string;
  readonly fromName: string;
  readonly dialled: string;
  /** The extension or group that was called last; empty for a number outside. */
  readonly to: string;
  /** The number of the phone that took it. */
  readonly answeredBy: string;
  readonly outcome: Outcome;
  readonly talkSeconds: number;
  /** Q.850. */
  readonly cause: number | null;
  readonly recording: string | null;
}

const MAX_ID = 150;
const MAX_NUMBER_LENGTH = 40;
const MAX_NAME_LENGTH = 80;

const textIn = (fields: Record<string, unknown>, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
};

const numberIn = (fields: Record<string, unknown>, name: string): string =>
  textIn(fields, name)
    .replaceAll(/[^0-9+*#]/g, '')
    .slice(0, MAX_NUMBER_LENGTH);

const wholeIn = (fields: Record<string, unknown>, name: string): number => {
  const value = Number(textIn(fields, name));
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
};

/** 9999-01-01, far above any clock and below what a column holds. */
const MAX_SECONDS = 253_370_764_800;

const isId = (text: string): boolean => /^[\x21-\x7e]+$/.test(text) && text.length <= MAX_ID;

/** Undefined if it makes no sense, as when it was written by hand. */
export function readRecord(callId: string, text: string): CallRecord | undefined {
  const fields = fieldsIn(text);
  if (!fields || !isId(callId)) return undefined;
  const start = wholeIn(fields, 'start');
  if (start === 0 || start > MAX_SECONDS) return undefined;
  const end = Math.min(Math.max(start, wholeIn(fields, 'end')), MAX_SECONDS);
  const linkedId = textIn(fields, 'linkedid');
  const outcome = outcomeOf(fields);
  const cause = wholeIn(fields, 'cause');
  const isAnswered = outcome === 'answered';
  return {
    callId,
    linkedId: isId(linkedId) ? linkedId : callId,
    startedAt: new Date(start * 1000),
    endedAt: new Date(end * 1000),
    direction: directionOf(fields),
    from: numberIn(fields, 'from'),
    fromName: nameIn(textIn(fields, 'name64')),
    dialled: numberIn(fields, 'dialled'),
    to: numberIn(fields, 'to'),
    answeredBy: isAnswered ? peerIn(textIn(fields, 'peer')) : '',
    outcome,
    talkSeconds: isAnswered ? Math.min(wholeIn(fields, 'answered'), end - start + 1) : 0,
    cause: cause > 0 && cause < 65_536 ? cause : null,
    recording: recordingIn(textIn(fields, 'rec')),
  };
}

function fieldsIn(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function directionOf(fields: Record<string, unknown>): Direction {
  const kind = textIn(fields, 'kind');
  if (kind === 'inbound' || kind === 'emergency') return kind;
  return textIn(fields, 'out') === '' ? 'internal' : 'outbound';
}

const DIALLED: Readonly<Record<string, Outcome>> = {
  ANSWER: 'answered',
  BUSY: 'busy',
  NOANSWER: 'unanswered',
  CANCEL: 'cancelled',
};
/** Q.850: user busy. */
const BUSY_CAUSE = 17;

function outcomeOf(fields: Record<string, unknown>): Outcome {
  const status = textIn(fields, 'status');
  if (status === 'ANSWER') return 'answered';
  if (textIn(fields, 'voicemail') !== '') return 'voicemail';
  // Do not disturb: no phone was dialled.
  if (status === '' && wholeIn(fields, 'cause') === BUSY_CAUSE) return 'busy';
  return DIALLED[status] ?? 'failed';
}

/** Encoded, as it may hold any character. */
function nameIn(encoded: string): string {
  const name = Buffer.from(encoded, 'base64').toString('utf8');
  // oxlint-disable-next-line no-control-regex -- they would only disturb lists and files
  return Array.from(name.replaceAll(/[\u0000-\u001f\u007f\ufffd]/g, ' ').trim())
    .slice(0, MAX_NAME_LENGTH)
    .join('');
}

/** `PJSIP/104` or `Local/104@partyline`; a trunk has a name. */
function peerIn(peer: string): string {
  const [, number = ''] = /^(?:PJSIP|Local)\/([0-9+*#]{1,40})(?:@|$)/.exec(peer) ?? [];
  return number;
}

/** Only names that the dial plan makes: nothing else on the PBX is ever fetched or deleted. */
function recordingIn(name: string): string | null {
  return isRecording(name) && name.length <= 200 ? name : null;
}

export const isRecording = (name: string): boolean => /^partyline\/[\w-]+\/\d{8}\/[\w.-]+$/.test(name);

/** Feature codes are no calls; intercom is one. */
export const isCall = ({ dialled }: Pick<CallRecord, 'dialled'>): boolean => !/^\*(?!80\d)/.test(dialled);

/** The numbers that took part, each once. */
export const partiesOf = ({ from, dialled, to, answeredBy }: CallRecord): string[] => [
  ...new Set([from, dialled, to, answeredBy].filter((number) => number !== '')),
];
