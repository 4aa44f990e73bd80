// Compares the table of backends and fields with the drivers: each driver sends each field alone to its PBX.
import { loadConfig } from '../../../config';
import { closeMysql, openMysql } from '../../../src/kernel/mysql/pool';
import type { PbxDriver } from '../../../src/telephony/actors/pbx-instance/driver';
import { pushed } from '../../../src/telephony/actors/pbx-instance/drivers';
import { DATA_FIELDS, fateOf } from '../../../src/telephony/model/extensions/backend-fields';
import { dataFor } from '../../../src/telephony/model/extensions/extension-draft';
import { CREDENTIAL_FIELDS } from '../../../src/telephony/model/extensions/extension-fields';
import { BACKENDS, type Backend } from '../../../src/telephony/model/sites/backends';
import { driverFor, openSimulator, openVendor } from '../../cluster/telephony/driver-contract/backend';
import { openCluster } from '../../support/kernel/cluster';
import { openTestDatabase } from '../../support/kernel/database';
import { withOthers } from '../../support/telephony/other-values';
import { openRecordingProxy } from '../../support/proxies/recording-proxy';

interface WatchedPbx {
  readonly driver: PbxDriver;
  /** What reached the PBX since the last call. */
  reached(): Promise<string>;
  close(): Promise<void>;
}

async function watchHttp(backend: Exclude<Backend, 'kamailio'>): Promise<WatchedPbx> {
  const pbx = backend === 'simulated' ? await openSimulator({ backend, details: {} }) : await openVendor(backend);
  const { origin, pathname } = new URL(pbx.address);
  const proxy = await openRecordingProxy(origin);
  return {
    driver: pbx.at(`${proxy.url}${pathname.replace(/\/$/, '')}`).driver,
    reached: async () => proxy.sent().join('\n'),
    async close() {
      await proxy.close();
      await pbx.close();
    },
  };
}

const COLUMNS = ['username', 'domain', 'password', 'ha1', 'ha1b', 'operation'];

/** Kamailio is changed through its database alone. */
async function watchKamailio(): Promise<WatchedPbx> {
  const database = await openTestDatabase({ migrated: false });
  const db = openMysql({ ...loadConfig({}), databaseUrl: database.url });
  await db.schema.createTable('subscriber', (table) => {
    table.increments('id');
    for (const name of COLUMNS) table.string(name, 128);
    table.unique(['username', 'domain']);
  });
  const cluster = await openCluster();
  const kernel = await cluster.kernel();
  const at = driverFor(kernel, { backend: 'kamailio', details: { external_domain: 'fields.example' } });
  return {
    driver: at(database.url).driver,
    async reached() {
      return JSON.stringify(await db('subscriber').select(COLUMNS));
    },
    async close() {
      await cluster.close();
      await closeMysql(db);
      await database.drop();
    },
  };
}

const NUMBER = 9100;
const OPERATION = 'fields';
const DATA = { name: 'Ann', voicemail_enable: 'yes', voicemail_options: 'attach=yes|saycid=no|envelope=no|delete=no' };
const CREDENTIALS = { secret: 'secret-0', password: '', voicemail_vmpwd: '4711' };
const extension = (data: object = {}, credentials: object = {}) =>
  pushed(
    {
      number: NUMBER,
      data: dataFor({ data: { ...DATA, ...data } }, NUMBER),
      credentials: { ...CREDENTIALS, ...credentials },
    },
    OPERATION,
  );

function withOther(name: string) {
  const other = { [name]: withOthers(extension(), [name])[name] };
  return (CREDENTIAL_FIELDS as readonly string[]).includes(name) ? extension({}, other) : extension(other);
}

test.each(BACKENDS)('The backend %s is sent exactly the fields that the table says it carries', async (backend) => {
  const pbx = backend === 'kamailio' ? await watchKamailio() : await watchHttp(backend);
  const context = { key: OPERATION, deadlineMs: 30_000 };
  // Gets a token if the PBX needs one.
  await pbx.driver.health(context);
  const sentFor = async (wanted: ReturnType<typeof extension>) => {
    await pbx.reached();
    // A PBX may refuse a value; it only matters that it was sent.
    const failed = await pbx.driver.create(wanted, context).catch((error: Error) => error);
    const reached = await pbx.reached();
    await pbx.driver.delete(NUMBER, context);
    return { failed, reached };
  };
  try {
    const usual = await sentFor(extension());
    expect(usual.failed).toBeUndefined();
    const sent: string[] = [];
    for (const name of DATA_FIELDS) if ((await sentFor(withOther(name))).reached !== usual.reached) sent.push(name);
    const carried = DATA_FIELDS.filter((name) => ['carried', 'in part'].includes(fateOf(backend, name)));
    expect(sent).toEqual(carried);
  } finally {
    await pbx.close();
  }
});
