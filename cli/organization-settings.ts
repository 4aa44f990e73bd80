/** Commands that show and change the settings of an organization. */
import { InvalidArgumentError, type Command } from 'commander';
import { updateRealm } from '../src/chat/commands/organisation/update-realm';
import {
  REALM_DEFAULTS,
  REALM_SETTINGS,
  type RealmSetting,
  type RealmSettings,
} from '../src/chat/model/organisation/realm-settings';
import { getOrganization } from './organization';
import { withChat } from './session';
import { facts } from './text';

/** They have columns of their own, but are set like the others. */
const TEXTS = ['name', 'description'] as const;
type Name = RealmSetting | (typeof TEXTS)[number];

/** Added to the `organization` command, for which `org` is short. */
export function addOrganizationSettings(program: Command): void {
  const organization = program.commands.find((command) => command.name() === 'organization');
  if (!organization) throw new Error('the command "organization" comes first');
  organization.alias('org');

  organization
    .command('show')
    .description('everything it has set')
    .action(
      withChat(async (session) => {
        const { id, subdomain, name, description, settings } = await getOrganization(session);
        return facts({ id, subdomain, name, description, ...settings });
      }),
    );

  organization
    .command('set')
    .description('change one setting')
    .argument('<setting>', 'as "partyline org show" calls it', settingName)
    .argument('<value>', 'true or false, a number, or text')
    .action(
      withChat(async (session, setting: Name, written: string) => {
        const { id } = await getOrganization(session);
        const changed = await updateRealm(session.kernel.transaction, id, changesOf(setting, written));
        const value = changed[setting];
        const text = value === undefined ? `${setting} was ${written} already` : `${setting} is ${String(value)} now`;
        return { data: { changed }, text };
      }),
    );
}

function settingName(text: string): Name {
  const known = [...TEXTS, ...REALM_SETTINGS].find((name) => name === text);
  if (known === undefined) throw new InvalidArgumentError('There is no such setting: see "partyline org show".');
  return known;
}

function changesOf(
  setting: Name,
  written: string,
): { name?: string; description?: string; settings: Partial<RealmSettings> } {
  if (setting === 'name' || setting === 'description') return { [setting]: written, settings: {} };
  return { settings: { [setting]: valueOf(setting, written) } };
}

function valueOf(setting: RealmSetting, written: string): boolean | number | string | null {
  if (setting === 'message_retention_days') return written === 'null' ? null : numberOf(written);
  const usual = REALM_DEFAULTS[setting];
  if (typeof usual === 'number') return numberOf(written);
  if (typeof usual === 'string') return written;
  if (written !== 'true' && written !== 'false') throw new Error(`${setting} is true or false`);
  return written === 'true';
}

function numberOf(written: string): number {
  if (!/^-?\d{1,10}$/.test(written)) throw new Error(`${written} is not a whole number`);
  return Number(written);
}
