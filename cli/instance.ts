/** Commands for PBX instances: connecting one to a company, inspecting it, and removing it. */
import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../config';
import type { Kernel, Storage } from '../src/kernel/kernel';
import type { Database } from '../src/kernel/mysql/pool';
import { addInstance, changeInstance, removeInstance } from '../src/telephony/commands/sites/change-instances';
import { BACKEND_CREDENTIALS, BACKENDS, type Backend } from '../src/telephony/model/sites/backends';
import type { Instance } from '../src/telephony/model/sites/site';
import { findInstance, listAllInstances, testInstance, findDrift } from '../src/telephony/queries/sites/sites';
import { choice, passwordFromInput } from './arguments';
import { getCompany } from './company';
import { addDialplanCommand } from './dialplan';
import { ensureSecret, withTelephony, type Result, type Session } from './session';
import { columns, facts, table } from './text';

type Parts = Storage & Pick<Kernel, 'lifecycle' | 'log' | 'pause'>;

interface AddOptions {
  readonly company: string;
  readonly backend: Backend;
  readonly address: string;
  readonly location?: string;
  readonly uuid?: string;
  readonly domain?: string;
  readonly rpc?: string;
  readonly codecs?: string;
  readonly credentialsStdin?: true;
  readonly ami?: string;
  readonly emergency?: string;
}

type SetOptions = Partial<
  Pick<AddOptions, 'address' | 'domain' | 'rpc' | 'codecs' | 'credentialsStdin' | 'emergency'>
> & {
  /** False: take it away. */
  readonly ami?: string | false;
};

function address(text: string): string {
  if (!/^[a-z]+:\/\/[^\s/]+/.test(text)) throw new InvalidArgumentError('It is like http://host:port.');
  return text;
}

export function addInstanceCommands(program: Command): void {
  const instance = program.command('instance').description('PBXs of the companies');

  instance
    .command('add')
    .description('connect a PBX to a company and print its uuid')
    .requiredOption('--company <name or id>', 'whose')
    .requiredOption('--address <url>', 'where it is spoken to', address)
    .addOption(choice('--backend <kind>', 'what it is', BACKENDS))
    .option('--location <name or id>', "where it stands; the company's first location if not given")
    .option('--uuid <uuid>', 'made up if not given')
    .option('--domain <name>', 'where phones register; the host of its address if not given')
    .option('--rpc <url>', "where a Kamailio's JSON-RPC answers, to remove registrations", address)
    .option('--codecs <list>', "codecs of an Asterisk's extensions that name none; ulaw,alaw if not given")
    .option('--credentials-stdin', 'read what it wants to be spoken to with from standard input; stored encrypted')
    .option('--ami <user:secret>', "an Asterisk's user of manager.conf: for calls and mailboxes; stored encrypted")
    .option('--emergency <list>', 'emergency numbers; 112,911,110 if not given')
    .action(withTelephony((session, options: AddOptions) => add(session, options)));

  instance
    .command('set')
    .description('change how a PBX is spoken to')
    .argument('<uuid>', 'which')
    .option('--address <url>', 'where it is spoken to', address)
    .option('--domain <name>', 'where phones register')
    .option('--rpc <url>', "where a Kamailio's JSON-RPC answers", address)
    .option('--codecs <list>', "codecs of an Asterisk's extensions that name none")
    .option('--credentials-stdin', 'read what it wants to be spoken to with from standard input; stored encrypted')
    .option('--ami <user:secret>', "an Asterisk's user of manager.conf: for calls and mailboxes; stored encrypted")
    .option('--emergency <list>', 'emergency numbers, such as 112,911')
    .option('--no-ami', 'no longer: what becomes of calls stays on the PBX as it is')
    .action(withTelephony((session, uuid: string, options: SetOptions) => set(session, uuid, options)));

  instance
    .command('list')
    .description('every PBX')
    .action(
      withTelephony(async ({ kernel }) => {
        const instances = (await listAllInstances(kernel.mysql)).map(lineOf);
        const headings = ['uuid', 'company', 'backend', 'address', 'location'];
        const rows = instances.map(Object.values) as string[][];
        return { data: { instances }, text: table(headings, rows, 'there are no instances') };
      }),
    );

  onOne(instance, 'test', 'ask a PBX whether it is well; exit code 1 if not', async (kernel, found, config) => {
    const health = await testInstance(kernel, found, config.pbxCallMs);
    const data = { uuid: found.uuid, is_well: health.isWell, took_ms: health.tookMs, detail: health.detail };
    const text = `${found.uuid} ${health.isWell ? 'is well' : 'is not well'}: ${health.detail}, ${health.tookMs} ms`;
    return { data, text, exitCode: health.isWell ? 0 : 1 };
  });

  onOne(instance, 'drift', 'how a PBX and the database differed when last compared', async (kernel, found) => {
    const report = await findDrift(kernel.mysql, found.uuid);
    if (!report) return { data: { uuid: found.uuid, report: null }, text: 'it has not been compared yet' };
    const { arrangements, ...ofExtensions } = report;
    const rows = Object.entries(ofExtensions).map(([key, value]) => [
      key,
      typeof value === 'object' ? value.map(wordOf).join(' ') : String(value),
    ]);
    const beside = Object.entries(arrangements).filter(([, names]) => names.length > 0);
    const all = [...rows, ...beside.map(([key, names]) => [`${key} beside`, names.join(', ')])];
    return { data: { uuid: found.uuid, report }, text: columns(all) };
  });

  addDialplanCommand(instance);

  instance
    .command('remove')
    .description('part a PBX without extensions from its company')
    .argument('<uuid>', 'which')
    .option('--drop-reload', 'also while its last changes wait for a reload, which then never comes')
    .action(
      withTelephony(async ({ kernel }, uuid: string, { dropReload = false }: { dropReload?: boolean }) => {
        const found = await existing(kernel.mysql, uuid);
        await removeInstance(kernel.transaction, found.uuid, { dropReload });
        return { data: { removed: found.uuid }, text: `removed ${found.uuid}` };
      }),
    );
}

/** A number, or a number with what is said of it. */
const wordOf = (found: number | { number: number; reason?: string; detail?: string }): string =>
  typeof found === 'number' ? String(found) : `${found.number} (${found.reason ?? found.detail})`;

async function existing(db: Database, uuid: string): Promise<Instance> {
  const found = await findInstance(db, uuid);
  if (!found) throw new Error(`there is no instance ${uuid}: see "partyline instance list"`);
  return found;
}

function onOne(
  instance: Command,
  verb: string,
  description: string,
  run: (kernel: Parts, found: Instance, config: Config) => Promise<Result>,
): void {
  instance
    .command(verb)
    .description(description)
    .argument('<uuid>', 'which')
    .action(
      withTelephony(async ({ kernel, config }, uuid: string) => {
        return run(kernel, await existing(kernel.mysql, uuid), config);
      }),
    );
}

async function add(session: Session, options: AddOptions): Promise<Result> {
  const { kernel } = session;
  await ensureSecret(session);
  const companyId = await getCompany(kernel.mysql, options.company);
  const { backend, location, domain, rpc } = options;
  if (backend === 'kamailio' && domain === undefined)
    throw new Error('a Kamailio needs --domain: phones register there');
  const wanted = BACKEND_CREDENTIALS[backend];
  if (wanted !== undefined && !options.credentialsStdin)
    throw new Error(`${backend} needs --credentials-stdin: ${wanted}`);
  const { uuid, locationId } = await addInstance(kernel, {
    companyId,
    location,
    backend,
    address: options.address,
    uuid: options.uuid,
    details: given({
      external_domain: domain,
      // Extensions of an Asterisk are named by it, so that companies may share one.
      domain: backend === 'asterisk-ari' ? domain?.toLowerCase() : undefined,
      rpc,
      codecs: options.codecs,
      emergency: options.emergency,
    }),
    credentials: options.credentialsStdin ? await passwordFromInput() : undefined,
    ami: options.ami,
  });
  return facts({ uuid, backend, address: options.address, company_id: companyId, location_id: locationId });
}

async function set(session: Session, uuid: string, options: SetOptions): Promise<Result> {
  const { kernel } = session;
  await ensureSecret(session);
  const found = await existing(kernel.mysql, uuid);
  const { domain, rpc, codecs, ami, emergency } = options;
  await changeInstance(kernel, found.uuid, {
    address: options.address,
    details: given({ external_domain: domain, rpc, codecs, emergency }),
    credentials: options.credentialsStdin ? await passwordFromInput() : undefined,
    ami: ami === false ? null : ami,
  });
  return { data: { changed: found.uuid }, text: `changed ${found.uuid}: see "partyline instance test ${found.uuid}"` };
}

const given = (options: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const lineOf = (instance: Instance) => ({
  uuid: instance.uuid,
  company: instance.companyName,
  backend: instance.backend,
  address: instance.address,
  location_id: instance.locationId,
});
