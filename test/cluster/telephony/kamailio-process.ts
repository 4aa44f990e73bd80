/** A real Kamailio on its own database, and a phone that registers with it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchPrograms } from '../../../scripts/lib/programs/fetch-programs';
import { onFreePorts } from '../../../scripts/lib/ports';
import { startServer } from '../../../scripts/lib/servers/server-process';
import { loadConfig } from '../../../config';
import { closeMysql, openMysql } from '../../../src/kernel/mysql/pool';
import { openTestDatabase } from '../../support/kernel/database';
import { openPhone } from './sip-phone';

export interface Kamailio {
  readonly port: number;
  readonly rpc: string;
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

const MODULES = [
  'db_mysql',
  'tm',
  'sl',
  'pv',
  'textops',
  'siputils',
  'usrloc',
  'registrar',
  'auth',
  'auth_db',
  'kex',
  'xhttp',
  'jsonrpcs',
];

/** The smallest configuration that authenticates and keeps registrations; domains are separate. */
const configOf = (at: { port: number; rpcPort: number; databaseUrl: string; folder: string }): string => `#!KAMAILIO
debug=0
log_stderror=yes
children=1
tcp_children=2
auto_aliases=no
listen=udp:127.0.0.1:${at.port}
listen=tcp:127.0.0.1:${at.rpcPort}
tcp_accept_no_cl=yes
${MODULES.map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("jsonrpcs", "transport", 1)
modparam("usrloc|auth_db", "db_url", "${at.databaseUrl}")
modparam("usrloc", "db_mode", 1)
modparam("usrloc|auth_db", "use_domain", 1)
modparam("auth_db", "calculate_ha1", 0)
modparam("auth_db", "password_column", "ha1")
modparam("auth_db", "password_column_2", "ha1b")
request_route {
  if (!is_method("REGISTER")) { sl_send_reply("405", "Method Not Allowed"); exit; }
  auth_check("$td", "subscriber", "1");
  $var(rc) = $rc;
  if ($var(rc) == -2 || $var(rc) == -3 || $var(rc) == -8) { sl_send_reply("403", "Forbidden"); exit; }
  if ($var(rc) < 0) { auth_challenge("$td", "0"); exit; }
  save("location");
  exit;
}
event_route[xhttp:request] {
  if (src_ip == 127.0.0.1) { jsonrpc_dispatch(); } else { xhttp_reply("403", "Forbidden", "text/plain", "no"); }
}
`;

/** When unpacked, its modules do not find the libraries beside them by themselves. */
function environmentOf({
  env,
  libraries,
}: {
  env: Record<string, string>;
  libraries: string[];
}): Record<string, string> {
  const path = env['LD_LIBRARY_PATH'];
  if (path === undefined) return env;
  return { ...env, LD_LIBRARY_PATH: [path, ...libraries.map((each) => join(each, 'kamailio'))].join(':') };
}

export async function startKamailio(): Promise<Kamailio> {
  const { kamailio } = await fetchPrograms(['kamailio']);
  const database = await openTestDatabase({ migrated: false });
  const db = openMysql({ ...loadConfig({}), databaseUrl: database.url });
  for (const name of ['standard', 'auth_db', 'usrloc']) {
    await db.raw(readFileSync(join(kamailio.prefix, `usr/share/kamailio/mysql/${name}-create.sql`), 'utf8'));
  }
  await db.raw("ALTER TABLE subscriber ADD COLUMN operation VARCHAR(40) NOT NULL DEFAULT ''");
  await closeMysql(db);
  const folder = mkdtempSync(join(tmpdir(), 'kamailio-'));
  const url = new URL(database.url);
  const databaseUrl = `mysql://${url.username}:${url.password}@${url.host}${url.pathname}`;
  const modules =
    kamailio.libraries.map((each) => join(each, 'kamailio/modules')).find((each) => existsSync(each)) ?? '';
  const args = [
    '-DD',
    '-E',
    '-L',
    modules,
    '-f',
    join(folder, 'kamailio.cfg'),
    '-Y',
    folder,
    '-P',
    join(folder, 'pid'),
    '-m',
    '64',
    '-M',
    '8',
  ];
  const command = { command: kamailio.path, args, env: environmentOf(kamailio), cwd: folder };
  const { server, ...places } = await onFreePorts(async (next) => {
    const [port, rpcPort] = [await next(), await next()];
    writeFileSync(join(folder, 'kamailio.cfg'), configOf({ port, rpcPort, databaseUrl, folder }));
    const rpc = `http://127.0.0.1:${rpcPort}/RPC`;
    const isReady = async () => (await call(rpc, 'core.version')) !== undefined;
    return { port, rpc, server: await startServer('kamailio', { ...command, isReady }, folder) };
  });
  return {
    ...places,
    databaseUrl: database.url,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
      await database.drop();
    },
  };
}

export async function call(rpc: string, method: string, params: unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 });
  const response = await fetch(rpc, { method: 'POST', body, signal: AbortSignal.timeout(2000) });
  return ((await response.json()) as { result?: unknown }).result;
}

export interface Phone {
  readonly port: number;
  readonly user: string | number;
  readonly domain: string;
  readonly secret: string;
}

/** Registers like a phone, then disconnects. Returns the last status. */
export async function register({ secret, ...phone }: Phone): Promise<number> {
  const opened = await openPhone(phone);
  return opened.register(secret).finally(() => opened.close());
}
