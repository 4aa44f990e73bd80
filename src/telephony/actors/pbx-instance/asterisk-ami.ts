/**
 * Speaks to Asterisk's manager (AMI) over HTTP: one action in each request, in a session that a cookie names. The status
 * is 200 for errors too; only the words tell.
 */
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { Instance } from '../../model/sites/site';
import { AccessRefused, PbxError, type CallContext } from './driver';
import { callPbx, splitCredentials } from './pbx-http';

export type AmiBlock = Readonly<Record<string, string>>;

export interface Ami {
  /** The blocks of the answer: the response, then its events. Throws AmiRefused if it is an error. */
  ask(action: string, fields: AmiBlock, context: CallContext): Promise<[AmiBlock, ...AmiBlock[]]>;
}

/** Asterisk understood, and answered with an error. */
export class AmiRefused extends PbxError {
  /** In Asterisk's words, which name no value. */
  readonly said: string;

  constructor(action: string, said: string) {
    super('refused', `The PBX refused ${action}: ${said}`);
    this.name = 'AmiRefused';
    this.said = said;
  }
}

/** AstDB has no such key. */
export const isMissing = (error: unknown): boolean =>
  error instanceof AmiRefused && /^Database (entry|key|tree)?.*(not found|could not be deleted)/i.test(error.said);

export function ifMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

const DENIED = 'Permission denied';

// oxlint-disable-next-line no-control-regex -- control characters on purpose: a line end would begin another line of a file
const CONTROL = /[\u0000-\u001f\u007f]/;

/** A request and its form. A control character in a value would write lines of its own into a configuration file. */
function formOf(action: string, fields: AmiBlock): string {
  for (const [name, value] of Object.entries(fields)) {
    if (CONTROL.test(value)) throw new PbxError('refused', `${name} has a control character, which no PBX gets`);
  }
  return new URLSearchParams({ Action: action, ...fields }).toString();
}

function blocksOf(text: string): [AmiBlock, ...AmiBlock[]] {
  const blocks = text
    .split(/\r?\n\r?\n/)
    .map((block) => Object.fromEntries(block.split(/\r?\n/).flatMap(pairOf)) as AmiBlock)
    .filter((block) => Object.keys(block).length > 0);
  const [first, ...events] = blocks;
  if (first?.['Response'] === undefined) throw new PbxError('cut', 'The PBX sent an answer that makes no sense');
  return [first, ...events];
}

function pairOf(line: string): [string, string][] {
  const at = line.indexOf(':');
  return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]];
}

interface Session {
  /** Undefined: log in first. */
  cookie: Promise<string> | undefined;
}

/** The sessions of this process, shared by the drivers of an instance. */
export class AmiSessions {
  readonly #sessions = new Map<string, Session>();

  /** Undefined if the instance has no AMI user. */
  of({ address, details }: Pick<Instance, 'address' | 'details'>, secrets: Pick<Secrets, 'decrypt'>): Ami | undefined {
    const { ami } = details;
    if (ami === undefined) return undefined;
    const key = JSON.stringify([address, ami]);
    const session = this.#sessions.get(key) ?? { cookie: undefined };
    this.#sessions.set(key, session);
    return openAmi(address, () => secrets.decrypt(ami), session);
  }
}

function openAmi(address: string, credentials: () => string, session: Session): Ami {
  const url = `${address.replace(/\/(ari\/?)?$/, '')}/rawman`;

  async function post(body: string, cookie: string, { deadlineMs }: CallContext) {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...(cookie ? { Cookie: cookie } : {}) };
    const { status, text, cookies = [] } = await callPbx(url, { method: 'POST', deadlineMs, headers, body });
    if (status === 404 || status === 503) {
      throw new PbxError('away', 'The PBX is starting, or its AMI over HTTP is switched off');
    }
    if (status !== 200) throw new PbxError(status < 500 ? 'refused' : 'error', `The AMI of the PBX answered ${status}`);
    return { blocks: blocksOf(text), cookies };
  }

  async function logIn(context: CallContext): Promise<string> {
    const [user, secret] = splitCredentials(credentials());
    const { blocks, cookies } = await post(formOf('Login', { Username: user, Secret: secret }), '', context);
    const [cookie] = (cookies[0] ?? '').split(';');
    if (blocks[0]['Response'] !== 'Success' || !cookie) {
      throw new AccessRefused('AMI credentials');
    }
    return cookie;
  }

  function cookieFor(context: CallContext): Promise<string> {
    const cookie = (session.cookie ??= logIn(context));
    void cookie.catch(() => {
      if (session.cookie === cookie) session.cookie = undefined;
    });
    return cookie;
  }

  return {
    async ask(action, fields, context) {
      const body = formOf(action, fields);
      for (let tries = 1; ; tries += 1) {
        const used = cookieFor(context);
        const { blocks } = await post(body, await used, context);
        const [{ Response: response, Message: said = '' }] = blocks;
        if (response === 'Success') return blocks;
        if (said !== DENIED) throw new AmiRefused(action, said);
        // The session is over, after a minute without a request or a restart; or the user may not do it.
        if (tries > 1) throw new PbxError('refused', `The AMI user of the PBX may not do ${action}`);
        if (session.cookie === used) session.cookie = undefined;
      }
    },
  };
}
