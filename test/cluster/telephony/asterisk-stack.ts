/** Telephony with a real Asterisk as the owner's PBX, behind a proxy that can lose traffic. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAsterisk } from '../../support/telephony/asterisk/asterisk';
import { addInstance } from '../../../src/telephony/commands/sites/change-instances';
import type { CompanyId } from '../../../src/telephony/model/companies/company';
import { ownDirectory } from '../../support/servers/services';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';
import { openAriProxy, type AriProxy } from './ari-proxy';

export const ASTERISK = '30000000-0000-4000-8000-000000000001';

type Asterisk = Awaited<ReturnType<typeof startAsterisk>>;
type Attributes = Readonly<Record<string, string>>;

export interface AsteriskStack extends TelephonyStack {
  readonly proxy: AriProxy;
  readonly sipPort: number;
  /** Where it keeps recordings and messages. */
  readonly spool: string;
  /** Asterisk itself, past the proxy. */
  readonly at: Pick<Asterisk, 'url' | 'password'>;
  /** Calls Asterisk directly. */
  pjsip(method: string, object: string, fields?: Attributes): Promise<{ status: number; attributes: Attributes }>;
  /** The objects of a number: auth, aor, endpoint. */
  objectsOf(number: number): Promise<string[]>;
  /** Resolves when Asterisk has written all changes so far to its file, which it does a second late. */
  writtenDown(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

type Options = NonNullable<Parameters<typeof startAsterisk>[0]['calls']>;

/** With `calls`, the AMI is used for what becomes of calls. */
export async function openAsteriskStack(keptIn: 'astdb' | 'memory' = 'astdb', calls?: Options): Promise<AsteriskStack> {
  const folder = ownDirectory();
  const more = calls ? { keptIn, calls } : { keptIn };
  let running: Asterisk = await startAsterisk({ dir: folder.path, ...more });
  const { port, sipPort, password, url } = running;
  const proxy = await openAriProxy(port);
  const stack = await openTelephony({
    PBX_CALL_MS: '5000',
    PBX_OPERATION_MS: '60000',
    PBX_LATE_MS: '500',
    PBX_SWEEP_MS: '200',
    BREAKER_FAILURES: '1000',
    // No worker is killed here, so a worker that a busy machine delays must not lose its turn.
    LEASE_MS: '10000',
    JOB_LOCK_MS: '30000',
  });
  const companyId = (await stack.people.owner('GET', '/system/company')).body.id as CompanyId;
  await addInstance(stack.worker, {
    companyId,
    backend: 'asterisk-ari',
    address: proxy.url,
    uuid: ASTERISK,
    details: {},
    credentials: `partyline:${password}`,
    ami: calls && `ami:${password}`,
  });

  const pjsip: AsteriskStack['pjsip'] = async (method, object, fields) => {
    const list = Object.entries(fields ?? {}).map(([attribute, value]) => ({ attribute, value }));
    const answer = await fetch(`${url}/ari/asterisk/config/dynamic/res_pjsip/${object}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`partyline:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(fields ? { body: JSON.stringify({ fields: list }) } : {}),
    });
    const text = await answer.text();
    const body: unknown = text === '' ? [] : JSON.parse(text);
    const shown = Array.isArray(body) ? (body as { attribute: string; value: string }[]) : [];
    return {
      status: answer.status,
      attributes: Object.fromEntries(shown.map(({ attribute, value }) => [attribute, value])),
    };
  };

  let written = 0;
  return {
    ...stack,
    proxy,
    sipPort,
    spool: join(folder.path, 'spool'),
    at: { url, password },
    pjsip,
    async objectsOf(number) {
      const types = ['auth', 'aor', 'endpoint'];
      const found = await Promise.all(types.map((type) => pjsip('GET', `${type}/${number}`)));
      return types.filter((_, index) => found[index]?.status === 200);
    },
    async writtenDown() {
      // Once the file has this object, it has everything before it. SQLite's journal exists until all is committed.
      const last = `written-down-${(written += 1)}`;
      await pjsip('PUT', `aor/${last}`, { max_contacts: '1' });
      const file = join(folder.path, 'db/astdb.sqlite3');
      await until(() => readFileSync(file).includes(last) && !existsSync(`${file}-journal`));
    },
    kill: () => running.kill(),
    async start() {
      running = await startAsterisk({ dir: folder.path, ...more, port, sipPort, password });
    },
    async close() {
      await stack.close();
      await proxy.close();
      await running.stop();
      folder.remove();
    },
  };
}
