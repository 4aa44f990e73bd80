/** One server of a Galera cluster, on deploy/galera.cnf. */
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createConnection, type Connection } from 'mysql2/promise';
import { prepareMariadb } from '../../../scripts/lib/servers/mariadb';
import { runCommand } from '../../../scripts/lib/run-command';
import { startServer } from '../../../scripts/lib/servers/server-process';
import { programFor } from '../../../scripts/lib/test/test-programs';

const CONFIG = resolve(__dirname, '../../../deploy/galera.cnf');
/** Contains wsrep_sst_missed, which sends a server the state that it missed. */
const BIN = join(__dirname, 'bin');
export const PASSWORD = 'secret-of-galera';
export interface GaleraServer {
  readonly port: number;
  readonly pid: number;
  start(...more: string[]): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Restarts it from its last state; the others send what it missed. */
  revive(): Promise<void>;
  /** Cuts it off from the other servers, while it still answers clients; or reconnects it. */
  isolate(isOn: boolean): Promise<void>;
  /** Directly, not through HAProxy, with all privileges. */
  connect(): Promise<Connection>;
}

export interface Place {
  readonly dir: string;
  /** The initial data directory. */
  readonly template: string;
  /** The port on which servers talk to each other. */
  readonly ports: readonly number[];
  /** Returns unused ports. */
  readonly next: () => Promise<number>;
}

/** As in the example; but three caches of a gigabyte are too much for a test. */
const providerOptions = (): string =>
  /^wsrep_provider_options = "(.*)"$/m.exec(readFileSync(CONFIG, 'utf8'))![1]!.replace('size=1G', 'size=64M');

function providerFile(): string {
  const files = programFor('galera').libraries.map((each) => join(each, 'galera/libgalera_smm.so'));
  return files.find((each) => existsSync(each))!;
}

export async function openServer(place: number, { dir, template, ports, next }: Place): Promise<GaleraServer> {
  const [port, transferPort] = [await next(), await next()];
  cpSync(template, join(dir, 'data'), { recursive: true });
  const program = programFor('galera');
  const prepared = await prepareMariadb({ dir, port, password: PASSWORD, program, durable: false });
  const own = ports[place]!;
  const args = [
    `--defaults-file=${CONFIG}`,
    // Accounts are in the template.
    ...prepared.args.filter((each) => each !== '--no-defaults' && !each.startsWith('--init-file')),
    `--wsrep-provider=${providerFile()}`,
    `--wsrep-cluster-address=gcomm://${ports.map((each) => `127.0.0.1:${each}`).join(',')}`,
    '--wsrep-node-address=127.0.0.1',
    `--wsrep-node-name=galera-${place}`,
    '--wsrep-sst-method=missed',
    `--wsrep-provider-options=${providerOptions()}; gmcast.listen_addr=tcp://127.0.0.1:${own}; base_port=${own}; ist.recv_addr=127.0.0.1:${transferPort}`,
  ];
  let running: Awaited<ReturnType<typeof startServer>> | undefined;

  const env = { ...prepared.env, PATH: `${BIN}:${process.env['PATH']}` };
  async function start(...more: string[]): Promise<void> {
    const command = { ...prepared, env, args: [...args, ...more] };
    running = await startServer(`galera-${place}`, command, dir);
  }

  /** The last position of a server that was killed, from its own log. */
  async function position(): Promise<string> {
    const options = { cwd: dir, env: { ...process.env, ...env } };
    const { all } = await runCommand(prepared.command, [...args, '--wsrep-recover'], options);
    const [, found] = /Recovered position:\s*(\S+)/.exec(all) ?? [];
    if (found === undefined) throw new Error(`The server does not say where it stood: ${all}`);
    return found;
  }

  const connect = () => createConnection(prepared.url);
  return {
    port,
    get pid() {
      return running!.pid;
    },
    start,
    stop: async () => running?.stop(),
    kill: async () => running?.kill(),
    revive: async () => start(`--wsrep-start-position=${await position()}`),
    async isolate(isOn) {
      const admin = await connect();
      await admin.query(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${isOn ? 1 : 0}'`);
      admin.destroy();
    },
    connect,
  };
}
