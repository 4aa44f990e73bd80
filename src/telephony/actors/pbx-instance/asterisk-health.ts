/** What an Asterisk lacks for calls as they are ordered, in words for an operator. */
import type { Ami } from './asterisk-ami';
import type { AsteriskApi } from './asterisk-api';
import { PbxError, type CallContext } from './driver';

/** PARTYLINE_DIALPLAN of config/asterisk/extensions.conf. */
export const DIALPLAN_VERSION = 1;

const HOW = 'see "partyline instance dialplan"';

/** Undefined if the dial plan is loaded, and new enough. */
export async function dialplanTrouble(api: AsteriskApi, context: CallContext): Promise<string | undefined> {
  const answer = (await api.call('GET', '/asterisk/variable?variable=PARTYLINE_DIALPLAN', context)) as {
    value?: string;
  } | null;
  const version = Number(answer?.value ?? '');
  if (!version) return `the dial plan of Partyline is not loaded: ${HOW}`;
  if (version >= DIALPLAN_VERSION) return undefined;
  return `the dial plan is of version ${version}, and ${DIALPLAN_VERSION} is needed: ${HOW}`;
}

/** An action that Asterisk offers only with what is named: a class of the user in manager.conf, or a module. */
const NEEDED: readonly (readonly [action: string, lack: string])[] = [
  ['DBPut', 'the AMI user lacks the class system'],
  ['MailboxCount', 'the AMI user lacks the class reporting'],
  ['UpdateConfig', 'the AMI user lacks the class config, so there are no mailboxes'],
  ['VoicemailUsersList', 'voicemail is not loaded: noload => app_voicemail_odbc.so in modules.conf'],
  ['VoicemailRemove', 'the AMI user lacks the class user, so messages cannot be deleted'],
];

async function amiTroubles(ami: Ami, context: CallContext): Promise<string[]> {
  try {
    const [commands] = await ami.ask('ListCommands', {}, context);
    const lacking = NEEDED.filter(([action]) => commands[action] === undefined);
    // Without their classes, nothing can be said of voicemail.
    const isShort = lacking.some(([action]) => action === 'MailboxCount');
    return lacking
      .filter(([action]) => action !== 'VoicemailUsersList' || !isShort)
      .filter(([action]) => action !== 'VoicemailRemove' || commands['VoicemailUsersList'] !== undefined)
      .map(([, lack]) => lack);
  } catch (error) {
    if (!(error instanceof PbxError)) throw error;
    return [error.message];
  }
}

export async function troublesOf(api: AsteriskApi, ami: Ami, context: CallContext): Promise<string[]> {
  const [dialplan, others] = await Promise.all([dialplanTrouble(api, context), amiTroubles(ami, context)]);
  return [...(dialplan === undefined ? [] : [dialplan]), ...others];
}
