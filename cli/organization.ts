/** Commands for the organizations on this server: founding them, their addresses and their settings. */
import { InvalidArgumentError, type Command } from 'commander';
import { createRealm, moveRealm, deactivateRealm, reactivateRealm } from '../src/chat/commands/organisation/realms';
import { updateRealm } from '../src/chat/commands/organisation/update-realm';
import type { Config } from '../config';
import { realmUrl, rootDomainOf } from '../src/chat/model/organisation/address';
import type { Realm, RealmId } from '../src/chat/model/organisation/realm';
import {
  REALM_DEFAULTS,
  REALM_SETTINGS,
  type RealmSetting,
  type RealmSettings,
} from '../src/chat/model/organisation/realm-settings';
import type { User } from '../src/chat/model/users/user';
import { openChat, type Chat } from '../src/chat/parts';
import { findUser } from '../src/chat/queries/users/users';
import { listRealms, type RealmLine } from '../src/chat/queries/organisation/find-realm';
import { publicUrlOf } from '../src/products';
import { host, name, subdomain } from './arguments';
import { withChat, type Session } from './session';
import { facts, table } from './text';

interface AddressOptions {
  readonly subdomain?: string;
  readonly host?: readonly string[];
}

export function addOrganizationCommands(program: Command): void {
  const organization = program.command('organization').alias('org').description('the organizations that chat here');

  addressed(organization.command('add').alias('create'))
    .description('found one; demo data have one already')
    .argument('<name>', 'what it is called', name(100))
    .option('--description <text>', 'shown to those who log in', '')
    .action(
      withChat(async (session, called: string, options: AddressOptions & { description: string }) => {
        const { description, ...address } = options;
        const id = await createRealm(chatOf(session), { name: called, description, ...addressOf(address) });
        const urls = await urlsOf(session, id);
        return { data: { id, name: called, ...addressOf(address), urls }, text: `founded ${called} ${at(urls)}` };
      }),
    );

  organization
    .command('list')
    .description('all of them, and where each is reached')
    .action(
      withChat(async ({ kernel, config }) => {
        const found = await listRealms(kernel.mysql);
        const lines = found.map((line) => ({
          id: line.realm.id,
          name: line.realm.name,
          subdomain: line.realm.subdomain,
          hosts: line.hosts.join(', '),
          urls: addressesOf(config, line).join(', '),
          state: line.realm.isActive ? 'active' : 'deactivated',
        }));
        const headings = ['id', 'name', 'subdomain', 'hosts', 'reached at', 'state'];
        const text = table(headings, lines.map(Object.values) as string[][], 'there are no organizations');
        return { data: { organizations: lines }, text };
      }),
    );

  addressed(organization.command('move'))
    .description('change its subdomain or its own host names; links to the old ones end')
    .action(
      withChat(async (session, options: AddressOptions) => {
        const address = addressOf(options);
        if (Object.keys(address).length === 0) throw new Error('say where: --subdomain or --host');
        const { id, name: called } = await getOrganization(session);
        await moveRealm(chatOf(session), id, address);
        const urls = await urlsOf(session, id);
        return { data: { id, ...address, urls }, text: `moved ${called}: it is ${at(urls)} now` };
      }),
    );

  addSwitch(organization, 'deactivate', "end everybody's access to it; everything in it stays", false);
  addSwitch(organization, 'reactivate', 'let its people in again', true);
  addSettings(organization);
}

function addSwitch(organization: Command, verb: string, description: string, active: boolean): void {
  organization
    .command(verb)
    .description(description)
    .action(
      withChat(async (session) => {
        const { id, name: called } = await getOrganization(session);
        await (active ? reactivateRealm : deactivateRealm)(session.kernel.transaction, id);
        return { data: { id, active }, text: `${verb}d ${called}${active ? '' : ': nobody has access any more'}` };
      }),
    );
}

/** Other nodes must learn that an organization was founded or moved. */
const chatOf = ({ kernel, config }: Session): Chat => openChat(kernel, { ...config, publicUrl: publicUrlOf(config) });

const addressed = (command: Command): Command =>
  command
    .option('--subdomain <label>', 'under EXTERNAL_HOST; each has one where there are several', subdomain)
    .option('--host <name>', 'a host name of its own; may be given several times', host);

const addressOf = ({ subdomain: label, host: hosts }: AddressOptions) => ({
  ...(label === undefined ? {} : { subdomain: label }),
  ...(hosts === undefined ? {} : { hosts }),
});

/** Its URL under the server's domain, and those of its own host names. */
function addressesOf(config: Config, { realm, hosts }: RealmLine): string[] {
  const publicUrl = publicUrlOf(config);
  const server = { publicUrl, rootDomain: rootDomainOf(config.externalHost, publicUrl) };
  return [null, ...hosts].map((own) => realmUrl(server, { subdomain: realm.subdomain, host: own }));
}

async function urlsOf({ kernel, config }: Session, id: RealmId): Promise<string[]> {
  return (await listRealms(kernel.mysql))
    .filter(({ realm }) => realm.id === id)
    .flatMap((line) => addressesOf(config, line));
}

const at = (urls: readonly string[]): string => `at ${urls.join(', ')}`;

/** The organization that `--org` names, or the only one. */
export async function getOrganization({ kernel, organization }: Session): Promise<Realm> {
  const found = (await listRealms(kernel.mysql)).map(({ realm }) => realm);
  if (found.length === 0) throw new Error('there is no organization yet: run "partyline organization add <name>"');
  const named = found.filter(({ subdomain: label }) => organization === undefined || label === organization);
  if (named.length === 0) throw new Error(`there is no organization "${organization}": see "partyline org list"`);
  if (named.length > 1) throw new Error('there are several organizations: say which with --org <subdomain>');
  return named[0]!;
}

export async function getUser(session: Session, address: string): Promise<User> {
  const user = await findUser(session.kernel.mysql, (await getOrganization(session)).id, address);
  if (!user) throw new Error(`there is no user ${address}: see "partyline user list"`);
  return user;
}

/** They have columns of their own, but are set like the others. */
const TEXTS = ['name', 'description'] as const;
type Name = RealmSetting | (typeof TEXTS)[number];

function addSettings(organization: Command): void {
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
        const changed = await updateRealm(session.kernel, id, changesOf(setting, written));
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
